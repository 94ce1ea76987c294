import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../root.mjs";
import { docOf, readSource } from "./source.mjs";

/** @typedef {import("./source.mjs").TypeScript} TypeScript */

const RESOURCES = join(ROOT, "provider", "resources");

/**
 * What the definitions of resources say of each argument in their JSDoc: the same words that an editor shows over
 * a program.
 *
 * @param {string} [folder] of the definitions
 * @returns {Promise<Map<string, string>>} by `Website.domain`
 */
export async function descriptions(folder = RESOURCES) {
  /** @type {[string, string][]} */
  const found = [];
  for (const name of (await readdir(folder)).sort()) {
    const { ts, source } = await readSource(join(folder, name));
    found.push(...described(ts, source));
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
        const text = docOf(ts, each);
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
