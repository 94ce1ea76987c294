import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "../root.mjs";
import { printClass, printInterface } from "./print.mjs";
import { reachable } from "./reachable.mjs";

/**
 * Writes types that are derived from definitions as a person would have written them, in place: an interface that
 * only extends derived types gets their members, with their words, and a constant of the same name becomes a class.
 * What they were derived from goes. So an editor shows names, a program compiles with old versions of TypeScript
 * too, and the types of no other package than Pulumi's are loaded.
 *
 * @param {string} file one `.d.ts` with all declarations
 */
export async function flatten(file) {
  const text = await readFile(file, "utf8");
  if (!ts.createSourceFile(file, text, ts.ScriptTarget.Latest).statements.some(isDerived)) return;
  const program = ts.createProgram([file], compilerOptions());
  const source = program.getSourceFile(file);
  if (source === undefined) throw new Error(`${file} does not exist`);
  const checker = program.getTypeChecker();
  const derived = source.statements.filter(isDerived);
  const named = new Map(derived.map((each) => [each.name.text, each]));

  /** @type {{ node: ts.Node, by: string }[]} */
  const replaced = [];
  for (const statement of source.statements) {
    const constant = constantOf(statement);
    const instance = constant && named.get(constant.name.getText());
    if (constant && instance) {
      replaced.push({ node: statement, by: printClass(checker, statement, constant, instance) });
      replaced.push({ node: instance, by: "" });
      named.delete(instance.name.text);
    }
  }
  for (const each of named.values()) replaced.push({ node: each, by: printInterface(checker, each) });
  const flat = replaced
    .sort((one, other) => other.node.pos - one.node.pos)
    .reduce((rest, { node, by }) => `${rest.slice(0, node.pos)}\n${by}${rest.slice(node.end)}`, text);
  await writeFile(file, reachable(file, flat));
}

function compilerOptions() {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.build.json"), ts.sys.readFile);
  return { ...ts.parseJsonConfigFileContent(config, ts.sys, ROOT).options, noEmit: true };
}

/**
 * @param {ts.Statement} statement
 * @returns {statement is ts.InterfaceDeclaration}
 */
function isDerived(statement) {
  return (
    ts.isInterfaceDeclaration(statement) &&
    statement.members.length === 0 &&
    statement.heritageClauses !== undefined
  );
}

/** @param {ts.Statement} statement */
function constantOf(statement) {
  return ts.isVariableStatement(statement) ? statement.declarationList.declarations[0] : undefined;
}
