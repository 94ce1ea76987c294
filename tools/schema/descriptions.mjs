import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../root.mjs";

/** @typedef {typeof import("typescript")} TypeScript */

const RESOURCES = join(ROOT, "provider", "resources");

/**
 * What the definitions of resources say of each argument in their JSDoc: the same words that an editor shows over
 * a program.
 *
 * @param {string} [folder] of the definitions
 * @returns {Promise<Map<string, string>>} by `Website.domain`
 */
export async function descriptions(folder = RESOURCES) {
  // On a fresh clone, this module is loaded before packages are installed.
  const { default: ts } = await import("typescript");
  /** @type {[string, string][]} */
  const found = [];
  for (const name of (await readdir(folder)).sort()) {
    const text = await readFile(join(folder, name), "utf8");
    found.push(...described(ts, ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)));
  }
  return new Map(found);
}

/**
 * @param {TypeScript} ts
 * @param {import("typescript").Node} node
 * @returns {[string, string][]}
 */
function described(ts, node) {
  /** @type {[string, string][]} */
  const found = [];
  if (ts.isCallExpression(node) && node.expression.getText() === "defineResource") {
    const [definition] = node.arguments;
    const type = definition && member(ts, definition, "type");
    const inputs = definition && member(ts, definition, "inputs");
    if (type && ts.isStringLiteral(type) && inputs && ts.isObjectLiteralExpression(inputs))
      for (const each of inputs.properties) {
        const text = jsDoc(ts, each);
        if (text !== undefined) found.push([`${type.text}.${each.name?.getText()}`, text]);
      }
  }
  ts.forEachChild(node, (child) => void found.push(...described(ts, child)));
  return found;
}

/**
 * @param {TypeScript} ts
 * @param {import("typescript").Node} of
 * @param {string} name
 */
function member(ts, of, name) {
  if (!ts.isObjectLiteralExpression(of)) return undefined;
  const found = of.properties.find((each) => each.name?.getText() === name);
  return found && ts.isPropertyAssignment(found) ? found.initializer : undefined;
}

/**
 * @param {TypeScript} ts
 * @param {import("typescript").Node} node
 */
function jsDoc(ts, node) {
  const [doc] = ts.getJSDocCommentsAndTags(node);
  return (ts.getTextOfJSDocComment(doc?.comment) ?? "").replace(/\s+/g, " ").trim() || undefined;
}
