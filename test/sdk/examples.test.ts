import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { ROOT } from "../../tools/root.mjs";

const SDK = join(ROOT, "sdk");
const texts = readdirSync(SDK, { encoding: "utf8", recursive: true })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(join(SDK, name), "utf8"));

/** The examples in the JSDoc of a text, as an editor shows them. */
function examplesIn(text: string): string[] {
  const comments = [...text.matchAll(/\/\*\*\n([\s\S]*?)\n *\*\//g)].map(([, lines = ""]) =>
    lines.replace(/^ *\* ?/gm, ""),
  );
  const tags = comments.flatMap((comment) => comment.split(/^@/m).slice(1));
  return tags.filter((tag) => tag.startsWith("example")).map((tag) => tag.slice("example".length));
}

/** What the compiler says of programs, by this repository's own rules. */
function errorsOf(programs: readonly string[]): string[] {
  const file = join(ROOT, "test", "sdk", "programs.ts");
  const text = [
    'import * as pulumi from "@pulumi/pulumi";',
    'import * as tracking from "../../sdk";',
    ...programs.map((program, at) => `export async function program${at}() {\n${program}\n}`),
  ].join("\n");
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [file] }, ts.sys, ROOT);
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, version) =>
    name === file ? ts.createSourceFile(name, text, version) : getSourceFile(name, version);
  const program = ts.createProgram([file], options, host);
  const diagnostics = ts.getPreEmitDiagnostics(program, program.getSourceFile(file));
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

test("what an editor shows as an example compiles, and what is none does not", () => {
  const examples = texts.flatMap(examplesIn);
  expect(examples).toHaveLength(texts.join("").split("@example").length - 1);
  const wrong = 'new tracking.Website("shop", { domain: "shop.example.com", host: "shop" });';
  expect(errorsOf([...examples, wrong])).toEqual([expect.stringContaining("'host' does not exist")]);
});
