import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, inject, test } from "vitest";
import { dialectNames } from "../../emulator";
import { noteFigure } from "../faults/notes";
import { pixelSeeds, websiteSeeds } from "./account";
import { useHarness } from "./harness";
import { compiled, forms, importing, strict } from "./importing";

const world = useHarness({ files: strict });

/** One more argument of the website, in each form. */
const edits = {
  ts: { from: 'domain: "site-1.example.com",', to: '$&\n  excludeParams: ["only"],' },
  yaml: { from: "domain: site-1.example.com", to: "$&\n    excludeParams: [only]" },
};
const both = ["ts", "yaml"] as const;

/**
 * `npm run soak -- imports` takes every dialect in both forms, and this many websites. By default, those that differ most:
 * the reference's, one that names fields differently and sorts nothing, and one whose lists were edited in a web page.
 * `test/cli/import` has all of them read to the same state.
 */
const size = inject("importSize");
const cases =
  size === null
    ? [
        { dialect: "reference" as const, format: "ts" as const, websites: 30 },
        { dialect: "legacy" as const, format: "yaml" as const, websites: 9 },
        { dialect: "webform" as const, format: "yaml" as const, websites: 9 },
      ]
    : dialectNames.flatMap((dialect) => both.map((format) => ({ dialect, format, websites: size })));
beforeAll(async () => {
  if (size !== null) await noteFigure("imports", { cases: size, seed: "" });
});

test.each(cases)(
  "an account of $websites websites in the $dialect dialect becomes a program in $format, untouched, and one change is one request",
  async ({ dialect, format, websites }) => {
    const { out, program } = forms[format];
    const { from, to } = edits[format];
    const pixels = Math.max(6, websites / 5);
    await world.service.configure({ dialect });
    await world.service.seed({ websites: websiteSeeds(websites), pixels: pixelSeeds(pixels) });
    await world.project.write("program/index.ts", program);
    const before = [await world.service.websites(), await world.service.pixels()];
    await rm(join(world.project.folder, out), { force: true });
    await world.service.clearRequests();

    const args = ["--apply", "--format", format, "--out", out];
    const { code, stdout, stderr } = await importing(world, args).finished;
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`${websites + pixels} imported.\nA preview shows no changes.\n`);
    expect(stdout).not.toMatch(/hidden|left-behind/);

    await world.run(["preview", "--refresh", "--expect-no-changes"], { env: compiled });
    const sent = await world.service.requests();
    expect(sent.filter(({ method }) => method !== "GET")).toEqual([]);
    expect([await world.service.websites(), await world.service.pixels()]).toEqual(before);

    await world.project.write(
      out,
      (await readFile(join(world.project.folder, out), "utf8")).replace(from, to),
    );
    const { id } = await world.website("site-1.example.com");
    const { written } = await world.up({ env: compiled });
    expect(written).toEqual([
      { method: "PUT", path: `/api/v1/websites/${id}`, form: { exclude_params: "only" } },
    ]);
  },
);
