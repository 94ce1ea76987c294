import ts from "typescript";
import { declared } from "./reachable.mjs";

/**
 * A file of declarations with all of its exports in a list at its end: then a declaration can be written anew without
 * a look at whether it is exported.
 *
 * @param {string} name
 * @param {string} text
 */
export function listedExports(name, text) {
  const { statements } = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const marked = statements.flatMap((statement) => {
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    const mark = modifiers.find(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    return mark === undefined ? [] : { mark, names: declared(statement) };
  });
  const unmarked = marked.reduceRight(
    (rest, { mark }) => rest.slice(0, mark.getStart()) + rest.slice(mark.end).trimStart(),
    text,
  );
  const names = [...new Set(marked.flatMap((each) => each.names))];
  return names.length === 0 ? text : `${unmarked.trimEnd()}\nexport { ${names.join(", ")} };\n`;
}
