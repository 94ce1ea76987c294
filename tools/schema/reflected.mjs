import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../root.mjs";

/**
 * @typedef {import("typedoc").JSONOutput.DeclarationReflection} Reflection
 * @typedef {import("typedoc").JSONOutput.SomeType} SomeType
 * @typedef {Record<string, unknown>} Spec a part of a Pulumi package schema
 *
 * @typedef {object} Enum a set of words, such as `Privacy`
 * @property {string} name
 * @property {string | undefined} description
 * @property {{ name: string, value: string | number | boolean | null, description: string | undefined }[]} values
 */

/** @type {Promise<readonly Reflection[]> | undefined} */
let read;

/** What typedoc says of the definitions: their types and their JSDoc. */
function reflections() {
  read ??= convert();
  return read;
}

async function convert() {
  // On a fresh clone, this module is loaded before packages are installed.
  const { Application, normalizePath } = await import("typedoc");
  const folders = await Promise.all(
    ["provider/resources", "provider/lookups"].map(async (folder) =>
      (await readdir(join(ROOT, folder))).map((name) => join(ROOT, folder, name)),
    ),
  );
  const app = await Application.bootstrap({
    entryPoints: [...folders.flat().sort(), join(ROOT, "sdk", "provider-settings.ts")],
    tsconfig: join(ROOT, "tsconfig.build.json"),
    // The compiler finds errors elsewhere.
    skipErrorChecking: true,
    excludeExternals: true,
    disableSources: true,
    sort: ["source-order"],
    logLevel: "Error",
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("typedoc could not read the definitions.");
  return (app.serializer.projectToObject(project, normalizePath(ROOT)).children ?? []).flatMap(
    ({ children = [] }) => children,
  );
}

/**
 * A reflection's words on one line.
 *
 * @param {Pick<Reflection, "comment">} reflection
 */
function wordsOf({ comment }) {
  const text = (comment?.summary ?? []).map((part) => part.text).join("");
  return text.replace(/\s+/g, " ").trim() || undefined;
}

/** @param {SomeType | undefined} type */
const membersOf = (type) => (type?.type === "reflection" ? (type.declaration.children ?? []) : []);

/** The type's arguments, if it is this one. @param {SomeType | undefined} type @param {string} name */
const argumentsOf = (type, name) =>
  type?.type === "reference" && type.name === name ? (type.typeArguments ?? []) : [];

/** The JSDoc of each argument in the definitions, by `Website.domain`. */
export async function descriptions() {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const { name, type } of await reflections())
    for (const part of type?.type === "intersection" ? type.types : [])
      for (const inputs of argumentsOf(part, "Resource"))
        for (const each of membersOf(inputs))
          found.set(`${name[0]?.toUpperCase()}${name.slice(1)}.${each.name}`, wordsOf(each) ?? "");
  return found;
}

/** The sets of words that resources name. @returns {Promise<Enum[]>} */
export async function enums() {
  const named = (await reflections()).filter(({ children = [] }) =>
    children.some(({ type, kind }) => kind === ENUM_MEMBER && type?.type === "literal"),
  );
  return named.map((each) => ({
    name: each.name,
    description: wordsOf(each),
    values: (each.children ?? []).map((member) => ({
      name: member.name,
      value:
        member.type?.type === "literal" && typeof member.type.value !== "object" ? member.type.value : null,
      description: wordsOf(member),
    })),
  }));
}

const ENUM_MEMBER = 16;

/** What the provider's arguments are, and what their JSDoc says of each. */
export async function settingShapes() {
  const args = (await reflections()).find(({ name }) => name === "ProviderArgs");
  return new Map(
    (args?.children ?? []).map((each) => {
      const [input] = argumentsOf(each.type, "Input");
      const isNamed = input?.type === "intrinsic" && ["number", "boolean"].includes(input.name);
      return [each.name, { type: isNamed ? input.name : "string", description: wordsOf(each) }];
    }),
  );
}

/**
 * The answers of look-ups: `answers` has the name of each look-up's type, such as `Item[]`, and `types` what it is. Nested
 * objects become types of their own, such as `ItemPrice`.
 *
 * @param {(name: string) => string} pluginToken the token of a type
 * @returns {Promise<{ types: Record<string, Spec>, answers: Map<string, string> }>}
 */
export async function answerTypes(pluginToken) {
  const all = await reflections();
  /** @type {Record<string, Spec>} */
  const types = {};

  /** @param {string} name @param {readonly (readonly Reflection[])[]} forms @param {string} [description] */
  const define = (name, forms, description) => {
    const token = pluginToken(name);
    const required = forms.map((members) =>
      members.filter(({ flags }) => !flags.isOptional).map((each) => each.name),
    );
    /** @type {Spec} */
    const spec = { type: "object", ...(description !== undefined && { description }) };
    types[token] ??= spec;
    spec.properties = Object.fromEntries(
      forms.flat().map((each) => {
        const inner = `${name}${each.name[0]?.toUpperCase()}${each.name.slice(1)}`;
        return [each.name, { ...specOf(inner, each.type), description: wordsOf(each) }];
      }),
    );
    // What only some forms have is optional.
    spec.required = required[0]?.filter((each) => required.every((names) => names.includes(each)));
    return { $ref: `#/types/${token}` };
  };

  /** @param {string} name of the type, if it is an object @param {SomeType | undefined} type @returns {Spec} */
  const specOf = (name, type) => {
    if (type?.type === "intrinsic") return { type: type.name };
    if (type?.type === "literal") return { type: typeof type.value };
    if (type?.type === "array") return { type: "array", items: specOf(name, type.elementType) };
    if (type?.type === "typeOperator") return specOf(name, type.target);
    if (type?.type === "union")
      return specOf(
        name,
        type.types.find((each) => each.type !== "intrinsic" || each.name !== "undefined"),
      );
    if (type?.type === "reflection") return define(name, [membersOf(type)]);
    if (type?.type !== "reference") throw new Error(`${name}: no schema for ${type?.type}`);
    if (type.name === "Readonly") return { type: "object", additionalProperties: { type: "string" } };
    const found = all.find((each) => each.name === type.name);
    if (found === undefined) throw new Error(`No type ${type.name} exists.`);
    const forms = found.type?.type === "union" ? found.type.types.map(membersOf) : [found.children ?? []];
    return define(type.name, forms, wordsOf(found));
  };

  /** @type {Map<string, string>} */
  const answers = new Map();
  for (const { name, type } of all)
    for (const answer of argumentsOf(type, "Lookup")) {
      const one = answer.type === "array" ? answer.elementType : answer;
      if (one.type !== "reference") continue;
      answers.set(name, `${one.name}${answer.type === "array" ? "[]" : ""}`);
      specOf(one.name, one);
    }
  return { answers, types };
}
