import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import * as sdk from "../../sdk";

/** A program that only this test has. */
const PROGRAM = join(__dirname, "examples.ts");
const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ".");

/** The examples in the JSDoc of what a file exports, by its names. */
function examplesIn(file: string): [name: string, example: string][] {
  const { statements } = ts.createSourceFile(file, ts.sys.readFile(file) ?? "", ts.ScriptTarget.Latest, true);
  return statements.flatMap((each) => {
    const [tag] = ts.getJSDocTags(each).filter(({ tagName }) => tagName.text === "example");
    const named = ts.isVariableStatement(each)
      ? each.declarationList.declarations[0]
      : (each as ts.ClassDeclaration);
    return tag ? [[named?.name?.getText() ?? "", ts.getTextOfJSDocComment(tag.comment) ?? ""]] : [];
  });
}

/** What the compiler says of a program. */
function mistakesIn(text: string): string[] {
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, target, ...rest) =>
    name === PROGRAM ? ts.createSourceFile(name, text, target) : getSourceFile(name, target, ...rest);
  const program = ts.createProgram([PROGRAM], options, host);
  const found = program.getSemanticDiagnostics(program.getSourceFile(PROGRAM));
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

it("every class, every look-up and declareFrom show an example, and all compile", () => {
  const examples = new Map(ts.sys.readDirectory("sdk", [".ts"]).flatMap(examplesIn));
  const shown = Object.entries(sdk).filter(
    ([name, each]) => typeof each === "function" && !name.endsWith("Output"),
  );
  expect([...examples.keys()].sort()).toEqual(shown.map(([name]) => name).sort());
  const bodies = [...examples.values()].map(
    (text, at) => `export async function example${at}() {\n${text}\n}`,
  );
  const program = `import * as tracking from "../../sdk";\n${bodies.join("\n")}`;
  expect(mistakesIn(program)).toEqual([]);
});
