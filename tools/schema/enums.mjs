import { docOf, readSource } from "./source.mjs";

/**
 * @typedef {{ name: string, value: string, description?: string | undefined }} EnumValue
 * @typedef {{ name: string, description?: string | undefined, values: EnumValue[] }} Enum
 */

/**
 * The sets of words that resources name, such as `Privacy`, with the JSDoc of each word.
 *
 * @param {readonly string[]} files
 * @returns {Promise<Enum[]>}
 */
export async function enums(files) {
  /** @type {Enum[]} */
  const found = [];
  for (const file of files) {
    const { ts, source } = await readSource(file);
    for (const node of source.statements.filter(ts.isVariableStatement))
      for (const { name, initializer } of node.declarationList.declarations) {
        const words = initializer && ts.isAsExpression(initializer) ? initializer.expression : undefined;
        if (words === undefined || !ts.isObjectLiteralExpression(words)) continue;
        const values = words.properties.filter(ts.isPropertyAssignment).map((each) => ({
          name: each.name.getText(),
          value: JSON.parse(each.initializer.getText()),
          description: docOf(ts, each),
        }));
        found.push({ name: name.getText(), description: docOf(ts, node), values });
      }
  }
  return found;
}
