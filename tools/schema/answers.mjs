import { docOf, readSource } from "./source.mjs";

/**
 * @typedef {import("./package.mjs").Spec} Spec
 * @typedef {import("./source.mjs").TypeScript} TypeScript
 * @typedef {import("typescript").TypeNode} TypeNode
 * @typedef {import("typescript").InterfaceDeclaration | import("typescript").TypeAliasDeclaration} Declaration
 */

/**
 * The answers of look-ups, as their types state them: `answers` has the name of each look-up's type, such as
 * `Item[]`, and `types` what it is. Nested objects become types of their own, such as `ItemPrice`.
 *
 * @param {readonly string[]} files
 * @param {(name: string) => string} pluginToken the token of a type
 * @returns {Promise<{ types: Record<string, Spec>, answers: Map<string, string> }>}
 */
export async function answerTypes(files, pluginToken) {
  const read = await Promise.all(files.map(readSource));
  const ts = read[0]?.ts;
  if (ts === undefined) throw new Error("there are no look-ups");
  const statements = read.flatMap(({ source }) => [...source.statements]);
  /** @type {Map<string, string>} */
  const answers = new Map();
  for (const node of statements.filter(ts.isVariableStatement))
    for (const { name, type } of node.declarationList.declarations) {
      const answer = /^Lookup<(\w+(\[\])?)>$/.exec(type?.getText() ?? "")?.[1];
      if (answer !== undefined) answers.set(name.getText(), answer);
    }
  const types = new AnswerTypes(
    ts,
    pluginToken,
    statements.filter((each) => ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each)),
  );
  for (const answer of answers.values()) types.define(answer.replace("[]", ""));
  return { answers, types: types.defined };
}

class AnswerTypes {
  /** @type {Record<string, Spec>} */
  defined = {};

  /**
   * @param {TypeScript} ts
   * @param {(name: string) => string} pluginToken
   * @param {readonly Declaration[]} declarations
   */
  constructor(ts, pluginToken, declarations) {
    this.ts = ts;
    this.pluginToken = pluginToken;
    this.declarations = new Map(declarations.map((each) => [each.name.text, each]));
  }

  /**
   * @param {string} name
   * @returns {Spec} a reference to the type
   */
  define(name) {
    const token = this.pluginToken(name);
    const reference = { $ref: `#/types/${token}` };
    if (token in this.defined) return reference;
    const node = this.declarations.get(name);
    if (node === undefined) throw new Error(`there is no type ${name}`);
    const forms = this.ts.isInterfaceDeclaration(node) ? [node] : this.literals(node.type);
    const shapes = forms.map((each) => this.shape(name, each.members));
    this.defined[token] = {
      type: "object",
      description: docOf(this.ts, node),
      properties: Object.assign({}, ...shapes.map(({ properties }) => properties)),
      // What only some forms have is optional.
      required: shapes[0]?.required.filter((each) => shapes.every(({ required }) => required.includes(each))),
    };
    return reference;
  }

  /** @param {TypeNode} node */
  literals(node) {
    return this.ts.isUnionTypeNode(node) ? node.types.filter(this.ts.isTypeLiteralNode) : [];
  }

  /**
   * @param {string} owner
   * @param {readonly import("typescript").TypeElement[]} members
   */
  shape(owner, members) {
    const properties = members.filter(this.ts.isPropertySignature);
    return {
      properties: Object.fromEntries(
        properties.map((each) => {
          const name = each.name.getText();
          const inner = `${owner}${name[0]?.toUpperCase()}${name.slice(1)}`;
          return [name, { ...this.type(inner, each.type), description: docOf(this.ts, each) }];
        }),
      ),
      required: properties
        .filter(({ questionToken }) => questionToken === undefined)
        .map(({ name }) => name.getText()),
    };
  }

  /**
   * @param {string} name of the type, if it is an object
   * @param {TypeNode | undefined} node
   * @returns {Spec}
   */
  type(name, node) {
    const { ts } = this;
    const text = node?.getText() ?? "";
    if (["string", "number", "boolean"].includes(text)) return { type: text };
    if (["true", "false"].includes(text)) return { type: "boolean" };
    if (text === "Readonly<Record<string, string>>")
      return { type: "object", additionalProperties: { type: "string" } };
    if (text.endsWith(" | undefined") && node && ts.isUnionTypeNode(node))
      return this.type(name, node.types[0]);
    if (node && ts.isTypeOperatorNode(node)) return this.type(name, node.type);
    if (node && ts.isArrayTypeNode(node)) return { type: "array", items: this.type(name, node.elementType) };
    if (node && ts.isTypeReferenceNode(node)) return this.define(text);
    if (node === undefined || !ts.isTypeLiteralNode(node)) throw new Error(`${name}: no schema for ${text}`);
    const token = this.pluginToken(name);
    this.defined[token] = { type: "object", ...this.shape(name, node.members) };
    return { $ref: `#/types/${token}` };
  }
}
