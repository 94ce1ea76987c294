import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { guide } from "../docs/readme";
import type { PixelSeed, WebsiteSeed } from "../service";
import { PLUGIN } from "./fresh-project";
import { useHarness } from "./harness";
import { importing } from "./importing";

const world = useHarness();

const entryOf = () => (world.form === "native" ? "pulumi-tracking/native" : "pulumi-tracking");
/** TypeScript that must compile in strict mode, in a project that refreshes at each preview and `up`. */
const strict = () => ({
  "Pulumi.yaml": `name: fresh\nmain: program/index.ts\nruntime: nodejs\n${PLUGIN}options: { refresh: always }\n`,
  "program/tsconfig.json": JSON.stringify({
    compilerOptions: { strict: true, target: "es2022", module: "node16", moduleResolution: "node16" },
    files: ["index.ts"],
  }),
  "program/index.ts": `import "${entryOf()}";\n`,
});

/** There is nothing to compile yet. */
const uncompiled = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };

/** Combinations that people set in the web interface. */
const settings: readonly Partial<WebsiteSeed>[] = [
  { privacy: 1, email: 0, exclude_bots: 1 },
  { privacy: 0, email: 1, exclude_bots: 0 },
  { privacy: 2, password: "hidden-1", email: 0, exclude_bots: 1 },
  { exclude_ips: "192.0.2.0/24\n198.51.100.7" },
  { privacy: 1, exclude_ips: "192.0.2.0/24\n198.51.100.7", exclude_params: "utm_source\nref" },
  { privacy: null, email: null, exclude_bots: null, exclude_params: "" },
  { privacy: 1, exclude_ips: "2001:DB8::1\r\n203.0.113.9\r\n", exclude_params: "&\nq q\n" },
  { privacy: 0, password: "left-behind", exclude_params: 'quo"te\n`code`\\' },
];
const lists = { exclude_params: "sharedList1\n[a]: b" };
/** An old account; the first domain is in its IDN form. */
const websites: WebsiteSeed[] = [
  ...settings.map((each, at) => ({
    domain: at === 0 ? "xn--bcher-kva.example" : `site-${at}.example.com`,
    ...each,
  })),
  { domain: "a-b.example.com", ...lists, exclude_ips: "192.0.2.1" },
  { domain: "a.b.example.com", ...lists },
  { domain: "class" },
];
/** Names that clash with words of the languages or as identifiers, that reverse or break text, and a future type. */
const pixels: PixelSeed[] = [
  { name: "GA", type: "google-analytics", value: "G-1" },
  { name: "Quotes \" ' ` \\ $x", type: "bing", value: "B-'\"" },
  { name: "\u{1F600} \u202Eturned\u202C", type: "facebook", value: "1" },
  { name: "Twitter", type: "twitter", value: "o1" },
  { name: "Tomorrow", type: "tomorrow", value: "0123" },
  { name: "g.a. #: - !x\nbroken", type: "bing", value: "null" },
  ...["constructor", "__proto__", "<<"].map((name) => ({ name, type: "bing" as const, value: "0x1F" })),
];
const TOTAL = websites.length + pixels.length;

/** In `test/cli/import` are the rows of a plan, every format, and what a second import does; `test/provider/lifecycle/read.test.ts` reads a record in every dialect. */
test("an account becomes a program in TypeScript and in YAML that mean the same, untouched; one change is one request, and what the guide lets go is forgotten alone", async () => {
  world.service.seed({ websites, pixels });
  const records = [world.service.websites(), world.service.pixels()];
  world.service.clearRequests();
  const imported = (...args: string[]) => importing(world, args).finished;
  /** A dry run, and the line that adds what it writes to the program's main file. */
  const written = async (main: string, ...args: string[]) => {
    const dry = await importing(world, args, { env: uncompiled }).finished;
    expect(dry).toMatchObject({ code: 0, stderr: "" });
    const [, line = "none", place] = /add the line (.*) to (.*)\.\n/.exec(dry.stdout) ?? [];
    expect(place).toBe(main);
    return { ...dry, line: `${line}\n` };
  };

  await world.program("");
  const yaml = await written("program/index.js", "--format", "yaml", "--out", "program/tracking.yaml");
  const plain = await world.inTypeScript(strict());
  const first = await written("program/index.ts", "--out", "program/tracking.ts");
  expect(await world.resources()).toEqual({});
  await world.project.write("program/index.ts", first.line);
  const [, command = ""] = /\nTo import, run: npx pulumi-tracking import (.*)\n$/.exec(first.stdout) ?? [];
  const { code, stdout, stderr } = await imported(...command.split(" "));
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(new RegExp(`^${TOTAL} imported\\..*\nA preview shows no changes\\.\n`, "m"));
  expect(first.stdout + stdout).not.toMatch(/hidden|left-behind/);
  const held = Object.values(await world.resources());
  expect(held.map(({ protect }) => protect)).toEqual(Array(TOTAL).fill(true));
  for (const name of ["tracking.ts", "tracking.yaml"])
    expect(await readFile(join(world.project.folder, "program", name), "utf8")).not.toMatch(
      /[\u202A-\u202E\u200F]/,
    );

  expect(world.service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  expect([world.service.websites(), world.service.pixels()]).toEqual(records);

  // The other file instead, without one website.
  await plain();
  await world.project.write("program/index.js", yaml.line);
  const before = await world.kept();
  const text = await readFile(join(world.project.folder, "program/tracking.yaml"), "utf8");
  const changed = text.replace("domain: site-1.example.com", "$&\n    excludeParams: [only]");
  const without = changed.replace(/^ {2}class:\n(?: {4}.*\n)*/m, "");
  await world.project.write("program/tracking.yaml", without);
  const lost = await imported("--apply");
  expect([lost.code, lost.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^error: The program does not declare what the stack holds, .*:\n {2}\S+::class'?\n/,
    ),
  ]);
  // As the section says that the message names.
  expect(lost.stderr).toContain('choose what becomes of it: "Removing a website" in ');
  const [, option = ""] = /do the same with\s`\{ (retainOnDelete: true) \}`/.exec(guide) ?? [];
  await world.project.write(
    "program/tracking.yaml",
    changed.replace("domain: class", `$&\n    options: { ${option} }`),
  );
  const { id } = world.website("site-1.example.com");
  const up = await world.up({ args: ["--refresh"] });
  expect(up.written).toEqual([
    { method: "PUT", path: `/api/v1/websites/${id}`, form: { exclude_params: "only" } },
  ]);
  // A refresh finds nothing to change either.
  const after = await world.kept();
  const staying = Object.keys(before).filter((name) => name !== "class");
  const differing = staying.filter((name) => !isDeepStrictEqual(after[name], before[name]));
  expect(differing.map((name) => after[name]?.id)).toEqual([String(id)]);

  await world.project.write("program/tracking.yaml", without);
  expect((await world.up()).written).toEqual([]);
  expect(Object.keys(await world.resources()).sort()).toEqual(staying.sort());
  expect(world.service.websites()).toHaveLength(websites.length);
});
