/**
 * @typedef {import("./package.mjs").Spec} Spec
 * @typedef {import("./package.mjs").Resource} Resource
 * @typedef {import("./package.mjs").Lookup} Lookup
 * @typedef {import("./fields.mjs").FieldSchemas} FieldSchemas
 */

/**
 * The name of the type of a look-up's answer, such as `Item[]`.
 *
 * @param {Lookup} lookup
 * @param {readonly Resource[]} catalogue
 * @param {Map<string, string>} answers
 */
export function answerOf({ name }, catalogue, answers) {
  const resource = catalogue.find(({ type }) => [`get${type}`, `get${type}s`].includes(name));
  if (resource !== undefined) return `${resource.type}Record${name.endsWith("s") ? "[]" : ""}`;
  const found = answers.get(name);
  if (found === undefined) throw new Error(`the answer of ${name} has no type`);
  return found;
}

/**
 * @param {Lookup} lookup
 * @param {string} answer
 * @param {{ types: Record<string, Spec>, fields: FieldSchemas, listName: (lookup: string) => string, pluginToken: (name: string) => string }} context
 * @returns {Spec}
 */
export function functionSchema({ name, inputs }, answer, { types, fields, listName, pluginToken }) {
  const all = Object.entries(inputs);
  const given = {
    type: "object",
    properties: Object.fromEntries(
      all.map(([each, field]) => [
        each,
        {
          ...fields.input(field),
          description: `${field.expected[0]?.toUpperCase()}${field.expected.slice(1)}.`,
        },
      ]),
    ),
    required: all.filter(([, { required }]) => required).map(([each]) => each),
  };
  const token = pluginToken(answer.replace("[]", ""));
  const { description, properties, required } = /** @type {Spec} */ (types[token]);
  // A function gives an object: a list is one of its properties.
  const list = listName(name);
  return {
    description,
    ...(all.length > 0 && { inputs: given }),
    outputs: answer.endsWith("[]")
      ? {
          type: "object",
          properties: { [list]: { type: "array", items: { $ref: `#/types/${token}` } } },
          required: [list],
        }
      : { type: "object", properties, required },
  };
}
