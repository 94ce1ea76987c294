/**
 * @typedef {import("./package.mjs").Spec} Spec
 * @typedef {import("./package.mjs").Resource} Resource
 * @typedef {import("./package.mjs").Field} Field
 * @typedef {import("./fields.mjs").FieldSchemas} FieldSchemas
 */

/**
 * @param {Resource} resource
 * @param {Map<string, string>} words
 * @param {FieldSchemas} fields
 * @returns {Spec}
 */
export function resourceSchema(resource, words, fields) {
  const all = Object.entries(resource.inputs);
  /** @type {(schema: (field: Field) => Spec) => Record<string, Spec>} */
  const properties = (schema) =>
    Object.fromEntries(
      all.map(([name, field]) => [
        name,
        {
          ...schema(field),
          description: words.get(`${resource.type}.${name}`),
          ...(field.secret && { secret: true }),
          ...(field.replaces && { willReplaceOnChanges: true }),
        },
      ]),
    );
  const noun = resource.type.toLowerCase();
  return {
    description: `A ${noun} of the tracking service.`,
    properties: properties(fields.output),
    required: all
      .filter(([, { required, default: preset }]) => required || preset !== undefined)
      .map(([name]) => name),
    inputProperties: {
      ...properties(fields.input),
      adopt: {
        type: "boolean",
        description: `Take over the one ${noun} that has this ${resource.key} already instead of failing, and set on it what this program says. A preview names it and what will change. Never a change by itself. Default \`false\`.`,
      },
      ...(resource.deletesWith !== undefined && {
        deletionProtection: {
          type: "boolean",
          description: `While this is \`true\`, the provider refuses to delete or replace the ${noun}, since its ${resource.deletesWith} would be deleted with it. A preview does not know this refusal; Pulumi's option \`protect\` refuses there too. Default \`true\`.`,
        },
      }),
    },
    requiredInputs: all.filter(([, { required }]) => required).map(([name]) => name),
    listInputs: {
      type: "object",
      properties: {
        search: { type: "string", description: `Text that is part of the ${resource.key}, in any case.` },
      },
    },
  };
}

/**
 * A record as look-ups give it, never with a secret.
 *
 * @param {Resource} resource
 * @param {Map<string, string>} words
 * @param {FieldSchemas} fields
 * @returns {Spec}
 */
export function recordType({ type, inputs }, words, fields) {
  const all = Object.entries(inputs).filter(([, { secret }]) => !secret);
  return {
    type: "object",
    description: `A ${type.toLowerCase()} that exists.`,
    properties: {
      id: { type: "string", description: "Every digit kept." },
      createdAt: { type: "string", description: "When it was made, as the service writes it." },
      updatedAt: { type: "string", description: "When it was last changed, as the service writes it." },
      ...Object.fromEntries(
        all.map(([name, field]) => [
          name,
          { ...fields.output(field), description: words.get(`${type}.${name}`) },
        ]),
      ),
    },
    required: ["id", ...all.filter(([, { required }]) => required).map(([name]) => name)],
  };
}
