import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { importLineFor } from "../../../cli/import/import-line";
import { detectProgram } from "../../../cli/import/user-program";

async function project(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "program-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

const plain = "name: fresh\nruntime: nodejs\n";
const ESM = '{"type":"module"}';

/** The line that a program has to say for a file, and what the program is. */
async function line(files: Record<string, string>, out: string, format: "ts" | "js" | "yaml" = "ts") {
  const folder = await project({ "Pulumi.yaml": plain, ...files });
  const program = await detectProgram(folder);
  return { program, line: importLineFor(program, join(folder, out), format) };
}

test.each([
  { says: "beside Pulumi.yaml", files: {}, out: "tracking.ts", line: "./tracking" },
  { says: "named with ./", files: {}, out: "./tracking.ts", line: "./tracking" },
  {
    says: "in the folder of main",
    files: { "Pulumi.yaml": `${plain}main: infra\n`, "infra/index.ts": "" },
    out: "infra/tracking.ts",
    line: "./tracking",
  },
  {
    says: "above the folder of main",
    files: { "Pulumi.yaml": `${plain}main: infra/\n`, "infra/index.ts": "" },
    out: "tracking.ts",
    line: "../tracking",
  },
  {
    says: "below it, where main is a file",
    files: { "Pulumi.yaml": `${plain}main: ./infra/index.ts\n`, "infra/index.ts": "" },
    out: "infra/parts/a.ts",
    line: "./parts/a",
  },
  {
    says: "beside a program of sources that package.json knows compiled only",
    files: { "package.json": '{"main":"bin/index.js"}', "tsconfig.json": "{}", "index.ts": "" },
    out: "tracking.ts",
    line: "./tracking",
  },
])("the line that adds a file $says fits the program's own place", async ({ files, out, line: told }) => {
  expect((await line(files, out)).line).toBe(`import "${told}";`);
});

test.each([
  { says: "of Node.js itself", files: {}, to: ".ts" },
  { says: "with ts-node", files: { "node_modules/ts-node/esm.mjs": "" }, to: ".js" },
  {
    says: "with a loader",
    files: { "Pulumi.yaml": `name: a\nruntime:\n  name: nodejs\n  options:\n    nodeargs: --import tsx\n` },
    to: ".js",
  },
  {
    says: "whose compiler wants the files' own names",
    files: {
      "node_modules/ts-node/esm.mjs": "",
      "tsconfig.json": '{"compilerOptions":{"allowImportingTsExtensions": true}}',
    },
    to: ".ts",
  },
  { says: "that has such a line", files: { "index.ts": 'import { a } from "./a.js";' }, to: ".js" },
])("in an ES module of TypeScript, $says, the line names a file that is found", async ({ files, to }) => {
  const found = await line({ "package.json": ESM, "index.ts": "", ...files }, "tracking.ts");
  expect(found.line).toBe(`import "./tracking${to}";`);
  expect(found.program).toMatchObject({ language: "ts", isModule: true, extension: ".ts" });
});

test.each([
  { says: "CommonJS", files: { "index.js": "" }, out: "tracking.js", line: 'require("./tracking.js");' },
  {
    says: "an ES module",
    files: { "index.js": "", "package.json": ESM },
    out: "tracking.js",
    line: 'import "./tracking.js";',
  },
  { says: "an .mjs file", files: { "index.mjs": "" }, out: "tracking.mjs", line: 'import "./tracking.mjs";' },
  {
    says: "what package.json names",
    files: { "package.json": '{"main":"src/main.js"}', "src/main.js": "" },
    out: "tracking.js",
    line: 'require("./tracking.js");',
  },
])("in JavaScript, $says, the line is one that it can say", async ({ files, out, line: told }) => {
  const found = await line(files, out, "js");
  expect(found.line).toBe(told);
  expect(found.program.language).toBe("js");
});

test("the command may be run in a folder below the project's", async () => {
  const folder = await project({ "Pulumi.yaml": `${plain}main: infra\n`, "infra/index.ts": "" });
  const program = await detectProgram(join(folder, "infra"));
  expect(importLineFor(program, join(folder, "infra", "tracking.ts"), "ts")).toBe('import "./tracking";');
});

test("YAML is named from where the program runs", async () => {
  const files = { "Pulumi.yaml": `${plain}main: infra\n`, "infra/index.ts": "" };
  expect((await line(files, "tracking.yaml", "yaml")).line).toBe('tracking.declareFrom("../tracking.yaml");');
});

test("a byte order mark in package.json or Pulumi.yaml is no matter", async () => {
  const files = { "Pulumi.yaml": `\uFEFF${plain}`, "package.json": `\uFEFF${ESM}`, "index.js": "" };
  expect((await line(files, "tracking.js", "js")).line).toBe('import "./tracking.js";');
});

test("a package.json that can't be read is named", async () => {
  await expect(line({ "package.json": "{", "index.ts": "" }, "tracking.ts")).rejects.toThrow(
    /package\.json can't be read: .* Correct it, and run this again\.$/,
  );
});

test.each([
  { runtime: "python", out: "tracking_records.py", format: "python", told: "import tracking_records" },
  { runtime: "python", out: "parts/shops.py", format: "python", told: "import parts.shops" },
  {
    runtime: "yaml",
    out: "tracking.yaml",
    format: "pulumi-yaml",
    told: '(copy what tracking.yaml has under "resources" into Pulumi.yaml)',
  },
] as const)(
  "a project in $runtime reaches the plugin, and is told how to take $out in",
  async ({ runtime, out, format, told }) => {
    const folder = await project({ "Pulumi.yaml": `name: fresh\nruntime:\n  name: ${runtime}\n` });
    const program = await detectProgram(folder);
    expect(program).toMatchObject({ language: format, form: "native" });
    expect(importLineFor(program, join(folder, out), format)).toBe(told);
  },
);

test("a program is of the form that its main file imports", async () => {
  const native = 'import * as tracking from "pulumi-tracking/native";\n';
  const of = async (text: string) =>
    (await detectProgram(await project({ "Pulumi.yaml": plain, "index.ts": text }))).form;
  expect([await of(native), await of(native.replace("/native", "")), await of("")]).toEqual([
    "native",
    "dynamic",
    "dynamic",
  ]);
});

test("a project in a language that nothing is written for is told of Pulumi's own import", async () => {
  const folder = await project({ "Pulumi.yaml": "name: fresh\nruntime: go\n" });
  await expect(detectProgram(folder)).rejects.toThrow("pulumi import tracking:index:Website NAME ID");
});
