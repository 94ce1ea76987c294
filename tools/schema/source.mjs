import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ROOT } from "../root.mjs";

/** @typedef {typeof import("typescript")} TypeScript */

/**
 * Reads a source file of the package.
 *
 * @param {string} file a relative path starts at the root of the repository
 */
export async function readSource(file) {
  // On a fresh clone this module is read before there are packages.
  const { default: ts } = await import("typescript");
  const text = await readFile(resolve(ROOT, file), "utf8");
  return { ts, source: ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true) };
}

/**
 * What the JSDoc of a declaration says, on one line.
 *
 * @param {TypeScript} ts
 * @param {import("typescript").Node} node
 */
export function docOf(ts, node) {
  const [doc] = ts.getJSDocCommentsAndTags(node);
  return (ts.getTextOfJSDocComment(doc?.comment) ?? "").replace(/\s+/g, " ").trim() || undefined;
}
