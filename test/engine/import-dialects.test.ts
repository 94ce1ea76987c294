import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, inject, test } from "vitest";
import { dialectNames } from "../../emulator";
import { start } from "../../tools/child.mjs";
import { noteFigure } from "../faults/notes";
import { pixelSeeds, websiteSeeds } from "./account";
import { useWorld } from "./world";

const COMMAND = join("node_modules", "pulumi-tracking", "dist", "cli", "main.js");

/** TypeScript that a strict compiler has to pass, with the imported part in a file of its own. */
const world = useWorld({
  files: {
    "Pulumi.yaml": "name: fresh\nmain: program/index.ts\nruntime: nodejs\n",
    "program/tsconfig.json": JSON.stringify({
      compilerOptions: { strict: true, target: "es2022", module: "commonjs", moduleResolution: "node" },
      files: ["index.ts"],
    }),
  },
});

/** Each form: the file to write, the program that takes it, and one argument of the website more in it. */
const formats = {
  ts: {
    out: join("program", "tracking.ts"),
    program: 'import "./tracking";\n',
    from: 'domain: "site-1.example.com",',
    to: '$&\n  excludeParams: ["only"],',
  },
  yaml: {
    out: join("program", "tracking.yaml"),
    program: 'import * as tracking from "pulumi-tracking";\ntracking.declareFrom("tracking.yaml");\n',
    from: "domain: site-1.example.com",
    to: "$&\n    excludeParams: [only]",
  },
};
const both = ["ts", "yaml"] as const;

/** `npm run soak -- imports` takes every dialect in both forms, and so many websites; else each dialect has a turn. */
const size = inject("importSize");
const cases =
  size === null
    ? [
        ...dialectNames.map((dialect, at) => ({ dialect, format: both[at % 2 === 0 ? 1 : 0], websites: 9 })),
        ...both.map((format) => ({ dialect: "reference" as const, format, websites: 30 })),
      ]
    : dialectNames.flatMap((dialect) => both.map((format) => ({ dialect, format, websites: size })));
beforeAll(async () => {
  if (size !== null) await noteFigure("imports", { cases: size, seed: "" });
});

test.each(cases)(
  "an account of $websites websites in the $dialect dialect becomes a program in $format, untouched, and one change is one request",
  async ({ dialect, format, websites }) => {
    const { out, program, from, to } = formats[format];
    const pixels = Math.max(6, websites / 5);
    await world.service.configure({ dialect });
    await world.service.seed({ websites: websiteSeeds(websites), pixels: pixelSeeds(pixels) });
    await world.project.write("program/index.ts", program);
    const before = [await world.service.websites(), await world.service.pixels()];
    await rm(join(world.project.folder, out), { force: true });
    await world.service.clearRequests();

    const { folder: cwd, env } = world.project;
    const args = [COMMAND, "import", "--apply", "--format", format, "--out", out];
    const { code, stdout, stderr } = await start(process.execPath, args, { cwd, env }).finished;
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`${websites + pixels} imported.\nA preview finds nothing to do with them.\n`);
    expect(stdout).not.toMatch(/hidden|left-behind/);

    await world.run(["preview", "--expect-no-changes"]);
    await world.run(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);
    const sent = await world.service.requests();
    expect(sent.filter(({ method }) => method !== "GET")).toEqual([]);
    expect([await world.service.websites(), await world.service.pixels()]).toEqual(before);

    await world.project.write(out, (await readFile(join(cwd, out), "utf8")).replace(from, to));
    const { id } = await world.website("site-1.example.com");
    const { written } = await world.up();
    expect(written).toEqual([
      { method: "PUT", path: `/api/v1/websites/${id}`, form: { exclude_params: "only" } },
    ]);
  },
);
