import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PixelSeed, WebsiteSeed } from "../../emulator";
import { STACK, useHarness } from "./harness";
import { compiled, forms, importing, strict } from "./importing";

const world = useHarness({ files: strict });

/** In each form, one more pixel with a type that no record has, and how messages name its place. */
const cases = [
  {
    format: "ts" as const,
    added: `\nnew tracking.Pixel("new", { name: "New", type: "tomorow" as tracking.PixelType, value: "n" });\n`,
    place: "",
  },
  {
    format: "yaml" as const,
    added: "  new: { name: New, type: tomorow, value: n }\n",
    place: "tracking.yaml:[0-9]+:27: pixels.new: ",
  },
];

const websites: WebsiteSeed[] = [
  { domain: "xn--bcher-kva.example", exclude_params: "sharedList1\n[a]: b" },
  { domain: "a-b.example.com", exclude_params: "sharedList1\n[a]: b", exclude_ips: "192.0.2.1" },
  { domain: "a.b.example.com" },
  { domain: "class" },
];

const pixels: PixelSeed[] = [
  { name: "A.B example com", type: "bing", value: "true" },
  { name: "constructor", type: "bing", value: "0x1F" },
  { name: "__proto__", type: "bing", value: "1e5" },
  { name: "\" ' ` \\ $x */ //", type: "bing", value: "~" },
  { name: "first\nsecond: # third", type: "bing", value: "null" },
  { name: "\u{1F600}\u{1F600}", type: "bing", value: "1" },
  { name: "\u202Eturned\u202C\u200F", type: "bing", value: "2" },
  { name: "<<", type: "tomorrow", value: "3" },
];

test.each(cases)(
  "whatever people called their records, they come into a program in $format, which a preview then finds in order",
  async ({ format, added, place }) => {
    const { out, program } = forms[format];
    await world.service.seed({ websites, pixels });
    const before = { websites: await world.service.websites(), pixels: await world.service.pixels() };
    await world.project.write("program/index.ts", program);
    await rm(join(world.project.folder, out), { force: true });

    const args = ["--apply", "--format", format, "--out", out];
    const { code, stdout, stderr } = await importing(world, args).finished;
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("A preview shows no changes.");
    await world.run(["preview", "--refresh", "--expect-no-changes"], { env: compiled });
    const held = Object.values(await world.resources());
    expect(held).toHaveLength(websites.length + pixels.length);
    expect(held.map(({ outputs }) => outputs?.name ?? outputs?.domain).sort()).toEqual(
      [...before.websites.map(({ domain }) => domain), ...before.pixels.map(({ name }) => name)].sort(),
    );
    expect((await world.service.requests()).filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await world.service.websites()).toEqual(before.websites);
    expect(await world.service.pixels()).toEqual(before.pixels);

    const file = await readFile(join(world.project.folder, out), "utf8");
    expect(file).not.toMatch(/[\u202A-\u202E\u200F]/);
    await world.project.write(out, file + added);
    const { output } = await world.fail(["preview"], { env: compiled });
    expect(output).toMatch(new RegExp(`${place}type must be one of .*, not "tomorow"`));
    expect(output).not.toMatch(STACK);
  },
);
