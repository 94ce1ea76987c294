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
        description: `Adopt the existing ${noun} with this ${resource.key} instead of failing, and set on it what this program declares. A preview names it and what will change. Never a change by itself. Default \`false\`.`,
      },
      ...(resource.deletesWith !== undefined && {
        deletionProtection: {
          type: "boolean",
          description: `While this is \`true\`, the provider refuses to delete or replace the ${noun}, since its ${resource.deletesWith} would be deleted with it. A preview does not show this refusal; Pulumi's option \`protect\` also refuses in the preview. Default \`true\`.`,
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
 * A record as look-ups return it, never with a secret.
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
    description: `An existing ${type.toLowerCase()}.`,
    properties: {
      id: { type: "string", description: "Every digit kept." },
      createdAt: { type: "string", description: "When it was created, as the service writes it." },
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
