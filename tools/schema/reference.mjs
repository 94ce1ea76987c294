import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../root.mjs";
import { loadSource } from "../source.mjs";
import { lookupPrograms } from "./examples.mjs";
import { packageSchema } from "./package.mjs";
import { templateOf } from "./templates.mjs";

/**
 * @typedef {import("../../provider/schema/resource.ts").Resource} Resource
 * @typedef {import("../../provider/schema/field.ts").Field<unknown>} Field
 * @typedef {{ type?: string, items?: Spec, $ref?: string, description?: string, additionalProperties?: unknown }} Spec
 * @typedef {{ properties?: Record<string, Spec>, required?: readonly string[], description?: string }} ObjectSpec
 * @typedef {{ description?: string, inputs?: ObjectSpec, outputs: ObjectSpec }} FunctionSpec
 * @typedef {{ description?: string, inputProperties: Record<string, Spec> }} ResourceSpec
 */

/** A table in Markdown. @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
function table(head, rows) {
  /** @param {readonly string[]} cells */
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [head, head.map(() => "---"), ...rows].map(line).join("\n");
}

/** @param {unknown} value */
const code = (value) => `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;

/** @param {Spec} spec @returns {string} */
function typeName({ type, items, additionalProperties }) {
  if (type === "array") return `${typeName(items ?? {})}[]`;
  return additionalProperties === undefined ? (type ?? "object") : "map of string";
}

/** Programs that only the schema has, from which the generated packages of these languages show them: a page shows all it has. */
const OF_SCHEMA = /^```(?:csharp|java)\n[\s\S]*?^```\n\n/gm;

/** A page with its slots filled. @param {string} template @param {Readonly<Record<string, string>>} parts */
function filled(template, parts) {
  const page = template.replace(/\{\{(\w+)\}\}/g, (_, slot) => {
    const part = parts[slot];
    if (part === undefined) throw new Error(`No part of the reference fills {{${slot}}}.`);
    return part;
  });
  return page.replace(OF_SCHEMA, "");
}

/** What a program omits, and what it gets then. @param {Field} field */
function ifOmitted({ required, default: preset, clearsTo }) {
  if (required) return "required";
  if (preset !== undefined) return code(JSON.stringify(preset));
  return clearsTo === undefined ? "none" : "not managed";
}

/** @param {Resource} resource @param {ResourceSpec} spec @param {Field} adopt */
function argumentRows({ type, inputs }, { inputProperties }, adopt) {
  const noun = type.toLowerCase();
  return Object.entries(inputProperties).map(([name, spec]) => {
    const field = name === "adopt" ? undefined : inputs[name];
    const preset = field ?? (name === "adopt" ? adopt : undefined);
    return [
      code(name),
      typeName(spec),
      preset === undefined ? code(true) : ifOmitted(preset),
      field === undefined ? "sends nothing" : field.replaces ? `replaces the ${noun}` : "updates it",
      field === undefined ? "" : field.writeOnly ? "no" : "yes",
      field === undefined && name !== "adopt"
        ? `Not in TypeScript and JavaScript. ${spec.description}`
        : `${spec.description}`,
    ];
  });
}

/** @param {Resource} resource @param {ResourceSpec} spec */
function outputRows({ inputs }, { inputProperties }) {
  const id = ["`id`", "string", ""];
  const rows = Object.entries(inputs).map(([name, field]) => [
    code(name),
    `${typeName(inputProperties[name] ?? {})}${field.secret ? ", secret" : ""}`,
    field.required || field.default !== undefined ? "" : "yes",
  ]);
  return [id, ...rows];
}

/** What a preview says of a wrong value of each field. @param {Resource} resource */
function refusals({ inputs }) {
  const rows = Object.entries(inputs).map(([name, { expected }]) => `\`${name} must be ${expected}\``);
  return rows.map((text) => `- ${text}`).join("\n");
}

/** Changes of which a preview may say something: before and after. @type {readonly (readonly [unknown, unknown])[]} */
const CHANGES = [
  [undefined, "public"],
  ["before", "after"],
  [undefined, `${"odd value! ".repeat(4)}`],
  [["before"], []],
];

/** What a preview says of a change of each field. @param {Resource} resource */
function warnings({ inputs }) {
  const texts = Object.entries(inputs).flatMap(([name, field]) =>
    CHANGES.flatMap(([before, after]) => {
      const isList = Array.isArray(after);
      if (isList !== (field.shape === "list") || field.shape === "boolean") return [];
      return field.notice?.(before, after, name) ?? [];
    }),
  );
  return [...new Set(texts)].map((text) => `- \`${text}\``).join("\n");
}

/** The words of a description before its examples. @param {string} [description] */
const proseOf = (description = "") => description.split("\n\n## ")[0] ?? "";

/**
 * The part of the page for each look-up.
 *
 * @param {readonly string[]} names
 * @param {{ functions: Record<string, FunctionSpec>, types: Record<string, ObjectSpec> }} schema
 * @param {(name: string) => string} tokenOf
 * @param {readonly Resource[]} catalogue
 */
function lookupSections(names, { functions, types }, tokenOf, catalogue) {
  /** @param {string} name */
  const specOf = (name) => /** @type {FunctionSpec} */ (functions[tokenOf(name)]);
  /** @param {Spec} spec */
  const typeOf = (spec) => types[(spec.$ref ?? spec.items?.$ref ?? "").replace("#/types/", "")];
  /** What another look-up gives is said there. @param {ObjectSpec} type */
  const sameAs = (type) => names.find((name) => specOf(name).outputs.properties === type.properties);

  /**
   * The members of an object, those of nested ones as `profile.heading`.
   *
   * @param {ObjectSpec} object
   * @param {Resource | undefined} resource whose record it is
   * @returns {string[][]}
   */
  const memberRows = ({ properties = {}, required = [] }, resource, prefix = "", mayLack = false) =>
    Object.entries(properties).flatMap(([name, spec]) => {
      const inner = typeOf(spec);
      const isAbsent = mayLack || !required.includes(name);
      const path = `${prefix}${name}`;
      const link = inner && sameAs(inner);
      if (inner !== undefined && link === undefined) return memberRows(inner, resource, `${path}.`, isAbsent);
      const described =
        resource && name in resource.inputs
          ? `As [the argument](${resource.type.toLowerCase()}.md#arguments).`
          : `${spec.description ?? ""}`;
      const type = link === undefined ? typeName(spec) : `${spec.items ? "list of " : ""}object`;
      const words =
        link === undefined
          ? described
          : `${spec.items ? "Each as" : "As"} [\`${link}\`](#${link.toLowerCase()}) gives it.`;
      return [[code(path), type, isAbsent ? "yes" : "", words]];
    });

  return names
    .map((name) => {
      const { description, inputs, outputs } = specOf(name);
      const { properties = {}, required = [] } = inputs ?? {};
      const args = Object.entries(properties).map(([argument, spec]) => [
        code(argument),
        typeName(spec),
        required.includes(argument) ? "yes" : "",
        `${spec.description}`,
      ]);
      const resource = catalogue.find(({ type }) => name === `get${type}`);
      return [
        `## ${name}`,
        proseOf(description),
        ...(args.length > 0 ? [table(["argument", "type", "required", "meaning"], args)] : []),
        table(["result", "type", "may be absent", "meaning"], memberRows(outputs, resource)),
      ].join("\n\n");
    })
    .join("\n\n");
}

/** The pages of the reference, by their file names. */
export async function referencePages() {
  /** @type {typeof import("./definitions.ts")} */
  const { catalogue, adoptField, lookups, pluginToken, environmentName } = await loadSource(
    "tools/schema/definitions.ts",
  );
  const schema = /** @type {any} */ (await packageSchema());
  const names = lookups.map(({ name }) => name).sort((one, other) => order(one) - order(other));
  /** @type {Record<string, string>} */
  const pages = {};

  for (const resource of catalogue) {
    const spec = schema.resources[pluginToken(resource.type)];
    const page = resource.type.toLowerCase();
    pages[`${page}.md`] = filled(await templateOf(page), {
      description: proseOf(spec.description),
      arguments: table(
        ["argument", "type", "default", "a change", "read back", "meaning"],
        argumentRows(resource, spec, adoptField),
      ),
      outputs: table(["output", "type", "may be absent"], outputRows(resource, spec)),
      refused: refusals(resource),
      warned: warnings(resource),
    });
  }
  pages["lookups.md"] = filled(await templateOf("lookups"), {
    programs: lookupPrograms(names),
    lookups: lookupSections(names, schema, pluginToken, catalogue),
  });
  const variables = Object.entries(schema.config.variables).map(([name, variable]) => [
    `\`tracking:${name}\``,
    code(environmentName(name)),
    `${variable.type}${variable.secret ? ", secret" : ""}`,
    `${variable.description}`,
  ]);
  pages["provider.md"] = filled(await templateOf("provider"), {
    settings: table(["setting", "environment", "type", "meaning"], variables),
  });
  const resources = catalogue.map(({ type }) => [
    `[${type}](${type.toLowerCase()}.md)`,
    proseOf(schema.resources[pluginToken(type)].description).split(/(?<=\.) /)[0] ?? "",
  ]);
  const others = [
    [
      `[Look-ups](lookups.md)`,
      names.map((name) => `[\`${name}\`](lookups.md#${name.toLowerCase()})`).join(", "),
    ],
    ["[Files of declarations](declarations.md)", "Websites and pixels in YAML files, for `declareFrom`."],
    ["[Provider](provider.md)", "Every setting, with its name in the environment; explicit providers."],
  ];
  pages["declarations.md"] = await templateOf("declarations");
  pages["index.md"] = filled(await templateOf("index"), {
    pages: table(["page", ""], [...resources, ...others]),
  });
  return pages;
}

/** Look-ups of records come first. @param {string} name */
const order = (name) => Number(!/Website|Pixel/.test(name));

/** Writes the pages. */
export async function writeReference() {
  const folder = join(ROOT, "docs", "reference");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [file, text] of Object.entries(await referencePages()))
    await writeFile(join(folder, file), text);
}
