import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import type { PixelSeed, WebsiteSeed } from "../service";
import { useHarness } from "./harness";
import { importing } from "./importing";

/** TypeScript that must compile in strict mode, with the imported part in a separate file. */
const strict = {
  "Pulumi.yaml": "name: fresh\nmain: program/index.ts\nruntime: nodejs\n",
  "program/tsconfig.json": JSON.stringify({
    compilerOptions: { strict: true, target: "es2022", module: "node16", moduleResolution: "node16" },
    files: ["index.ts"],
  }),
  "program/index.ts": "",
};
/** The import's own preview has compiled the program in strict mode. */
const compiled = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
const world = useHarness();

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

/** `test/provider/lifecycle/read.test.ts` reads a record in every dialect. */
test.each([
  {
    dialect: "reference" as const,
    format: "ts" as const,
    files: strict,
    main: "program/index.ts",
    program: 'import "./tracking";\n',
    from: 'domain: "site-1.example.com",',
    to: '$&\n  excludeParams: ["only"],',
  },
  {
    dialect: "strings" as const,
    format: "yaml" as const,
    files: undefined,
    main: "program/index.js",
    program: 'require("pulumi-tracking").declareFrom("tracking.yaml");\n',
    from: "domain: site-1.example.com",
    to: "$&\n    excludeParams: [only]",
  },
])(
  "an account in the $dialect dialect becomes a program in $format, untouched, and one change is one request",
  async ({ dialect, format, files, main, program, from, to }) => {
    if (files !== undefined) onTestFinished(await world.inTypeScript(files));
    const out = join("program", `tracking.${format}`);
    onTestFinished(() => rm(join(world.project.folder, out)));
    world.service.configure({ dialect });
    world.service.seed({ websites, pixels });
    if (format === "yaml") await world.project.write(main, 'require("pulumi-tracking");\n');
    const records = [world.service.websites(), world.service.pixels()];
    world.service.clearRequests();

    // A project refreshes by an option, which has no say in an import.
    const options = { env: { PULUMI_OPTION_REFRESH: "true" } };
    const first = await importing(world, ["--format", format, "--out", out], options).finished;
    expect(first, first.stdout).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain(`add the line ${program.trim()} to ${main}.\n`);
    expect(await world.resources()).toEqual({});
    await world.project.write(main, program);
    const { code, stdout, stderr } = await importing(world, ["--apply"], options).finished;
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      new RegExp(`^${websites.length + pixels.length} imported\\..*\nA preview shows no changes\\.\n`, "m"),
    );
    expect(first.stdout + stdout).not.toMatch(/hidden|left-behind/);
    const held = Object.values(await world.resources());
    expect(held.map(({ protect }) => protect)).toEqual(Array(websites.length + pixels.length).fill(true));
    expect(world.service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    expect([world.service.websites(), world.service.pixels()]).toEqual(records);

    const file = await readFile(join(world.project.folder, out), "utf8");
    expect(file).not.toMatch(/[\u202A-\u202E\u200F]/);
    // What the service never shows is told once.
    for (const text of [file, first.stdout])
      expect(text.match(/does not show the excludeParams of a website/g)).toHaveLength(1);
    await world.project.write(out, file.replace(from, to));
    const { id } = world.website("site-1.example.com");
    const before = await world.kept();
    const { written } = await world.up({ env: compiled, args: ["--refresh"] });
    expect(written).toEqual([
      { method: "PUT", path: `/api/v1/websites/${id}`, form: { exclude_params: "only" } },
    ]);
    // A refresh finds nothing to change either.
    const after = await world.kept();
    const changed = Object.keys(after).filter((name) => !isDeepStrictEqual(after[name], before[name]));
    expect(changed.map((name) => after[name]?.id)).toEqual([String(id)]);
  },
);
