/**
 * @typedef {import("./package.mjs").Spec} Spec
 * @typedef {import("./package.mjs").Field} Field
 * @typedef {import("./package.mjs").Zod} Zod
 * @typedef {import("./reflected.mjs").Enum} Enum
 */

/**
 * @typedef {ReturnType<typeof fieldSchemas>} FieldSchemas
 * @param {Zod} zod
 * @param {readonly Enum[]} named
 * @param {(name: string) => string} pluginToken
 */
export function fieldSchemas(zod, named, pluginToken) {
  /** @param {Field} field */
  const shape = (field) => zod.toJSONSchema(field.validator(zod), { io: "input" });
  return {
    /** @param {Field} field @returns {Spec} */
    output: (field) => typeOf(shape(field)),
    /** @param {Field} field @returns {Spec} */
    input: (field) => {
      const allowed = shape(field).enum;
      const known = named.find(
        ({ values }) => Array.isArray(allowed) && values.every(({ value }) => allowed.includes(value)),
      );
      // Servers know words beyond the set, and the provider checks what is written.
      return known === undefined
        ? typeOf(shape(field))
        : { oneOf: [{ type: "string" }, { $ref: `#/types/${pluginToken(known.name)}` }] };
    },
  };
}

/**
 * @param {{ type?: unknown, items?: unknown, anyOf?: unknown, enum?: unknown }} schema
 * @returns {Spec}
 */
function typeOf({ type, items, anyOf, enum: words }) {
  if (type === "array") return { type, items: typeOf(/** @type {object} */ (items)) };
  if (typeof type === "string") return { type };
  if (Array.isArray(anyOf)) {
    const types = [...new Set(anyOf.map((each) => JSON.stringify(typeOf(each))))].map((each) =>
      JSON.parse(each),
    );
    return types.length === 1 ? types[0] : { oneOf: types };
  }
  if (Array.isArray(words)) return { type: typeof words[0] === "number" ? "integer" : "string" };
  throw new Error("a field's shape has no type");
}
