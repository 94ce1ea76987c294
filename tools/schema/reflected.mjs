import { join } from "node:path";
import { ROOT } from "../root.mjs";

/**
 * @typedef {import("typedoc").JSONOutput.DeclarationReflection} Reflection
 * @typedef {import("typedoc").JSONOutput.SomeType} SomeType
 * @typedef {Record<string, unknown>} Spec a part of a Pulumi package schema
 */

/** @type {Promise<readonly Reflection[]> | undefined} */
let read;

async function convert() {
  // On a fresh clone, this module is loaded before packages are installed.
  const { Application, normalizePath } = await import("typedoc");
  const app = await Application.bootstrap({
    entryPoints: [join(ROOT, "sdk", "index.ts")],
    tsconfig: join(ROOT, "tsconfig.build.json"),
    // The compiler finds errors elsewhere.
    skipErrorChecking: true,
    excludeExternals: true,
    disableSources: true,
    sort: ["source-order"],
    logLevel: "Error",
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("typedoc could not read what programs import.");
  return app.serializer.projectToObject(project, normalizePath(ROOT)).children ?? [];
}

/** What typedoc says of all that a program imports: its types and their JSDoc. */
function reflections() {
  read ??= convert();
  return read;
}

/** A reflection's words, each paragraph on one line. @param {Pick<Reflection, "comment">} reflection */
function wordsOf({ comment }) {
  const text = (comment?.summary ?? []).map((part) => part.text).join("");
  return text.trim().replace(/\s+/g, (space) => (/\n\s*\n/.test(space) ? "\n\n" : " ")) || undefined;
}

/** @param {SomeType | undefined} type */
const membersOf = (type) => (type?.type === "reflection" ? (type.declaration.children ?? []) : []);

/** The members of an object, in each of its forms. @param {Reflection} of */
const formsOf = ({ type, children = [] }) =>
  type?.type === "union" ? type.types.map(membersOf) : [children];

/** The JSDoc of all classes, interfaces and their members, by `Website` and `WebsiteArgs.domain`. */
export async function descriptions() {
  const described = (await reflections()).flatMap((type) => [
    { name: type.name, words: wordsOf(type) },
    ...formsOf(type)
      .flat()
      .map((member) => ({ name: `${type.name}.${member.name}`, words: wordsOf(member) })),
  ]);
  // A form may have a member only to say that another form has it.
  return new Map(described.flatMap(({ name, words }) => (words === undefined ? [] : [[name, words]])));
}

const ENUM = 8;

/**
 * @typedef {object} Signature what the types say of a look-up
 * @property {string} answer the name of its type, such as `Item[]`
 * @property {string | undefined} args the name of the type of its arguments
 */

/** The first of the parameters, which the compiler has as one tuple. @param {SomeType | undefined} type */
const firstOf = (type) => {
  const [first] = type?.type === "tuple" ? (type.elements ?? []) : [];
  return first?.type === "namedTupleMember" ? first.element : first;
};

/** @param {SomeType} type */
const isUndefined = (type) => type.type === "intrinsic" && type.name === "undefined";

/** @param {string} name */
const capitalized = (name) => `${name[0]?.toUpperCase()}${name.slice(1)}`;

/**
 * The look-ups, and the types of their answers. Nested objects become types of their own, such as `ItemPrice`.
 *
 * @param {(name: string) => string} pluginToken the token of a type
 */
export async function signatures(pluginToken) {
  const exported = await reflections();
  /** @type {Record<string, Spec>} */
  const types = {};

  /** @param {string} name @param {readonly (readonly Reflection[])[]} forms @param {string} [description] */
  const define = (name, forms, description) => {
    const token = pluginToken(name);
    /** @type {Spec} */
    const spec = { type: "object", ...(description !== undefined && { description }) };
    types[token] ??= spec;
    spec.properties = Object.fromEntries(
      forms.flat().map((member) => {
        const inner = `${name}${capitalized(member.name)}`;
        const description = wordsOf(member);
        return [member.name, { ...specOf(inner, member.type, description), description }];
      }),
    );
    // What only some forms have is optional.
    spec.required = forms
      .map((members) => members.flatMap(({ flags, name }) => (flags.isOptional ? [] : name)))
      .reduce((one, other) => one.filter((member) => other.includes(member)));
    return { $ref: `#/types/${token}` };
  };

  /**
   * @param {string} name of the type, if it is an object
   * @param {SomeType | undefined} type
   * @param {string} [description] of what has it, which is that of an object
   * @returns {Spec}
   */
  const specOf = (name, type, description) => {
    // A number that is an id is whole, for which other languages have a type; a record's id is text.
    if (type?.type === "intrinsic")
      return { type: type.name === "number" && name.endsWith("Id") ? "integer" : type.name };
    if (type?.type === "literal") return { type: typeof type.value };
    if (type?.type === "array") return { type: "array", items: specOf(name, type.elementType, description) };
    if (type?.type === "typeOperator") return specOf(name, type.target, description);
    if (type?.type === "union")
      return specOf(
        name,
        type.types.find((form) => !isUndefined(form)),
        description,
      );
    if (type?.type === "reflection") return define(name, [membersOf(type)], description);
    if (type?.type !== "reference") throw new Error(`${name}: no schema for ${type?.type}`);
    if (type.name === "Readonly") return { type: "object", additionalProperties: { type: "string" } };
    const found = exported.find(({ name }) => name === type.name);
    if (found === undefined) throw new Error(`No type ${type.name} exists.`);
    if (found.kind === ENUM) return { type: "string" };
    return define(type.name, formsOf(found), wordsOf(found));
  };

  /** @type {Map<string, Signature>} */
  const lookups = new Map();
  for (const { name, type } of exported) {
    // A look-up is a constant, whose type is a function.
    const [signature] = (type?.type === "reflection" && type.declaration.signatures) || [];
    const promise = signature?.type?.type === "reference" ? signature.type : undefined;
    const [answer] = promise?.name === "Promise" ? (promise.typeArguments ?? []) : [];
    const one = answer?.type === "array" ? answer.elementType : answer;
    if (one?.type !== "reference") continue;
    const args = firstOf(signature?.parameters?.[0]?.type);
    lookups.set(name, {
      answer: `${one.name}${one === answer ? "" : "[]"}`,
      args: args?.type === "reference" ? args.name : undefined,
    });
    specOf(one.name, one);
  }
  return { lookups, types };
}
