import { catalogue } from "../../provider/resources";
import { zod } from "../../provider/schema/zod";
import type { ResourceForm } from "../pulumi/resource-forms";
import {
  assembleProgram,
  type NamedRecord,
  nonDefaultArgs,
  secretComment,
  sharedLists,
} from "./generated-program";
import { escapeInvisibleCharacters, hex } from "./invisible-characters";
import { UniqueNames } from "./unique-names";

/** The kind of program that records are written as. */
export interface ScriptKind {
  readonly language: "ts" | "js";
  readonly isModule: boolean;
  readonly form?: ResourceForm;
}

/** A resource that a program declares: its type, its name, and its domain or name on the service. */
export interface DeclaredRecord {
  readonly type: string;
  readonly name: string;
  readonly key: string;
}

/** Writes the records as a program, or appends them to an existing one. */
export function generateScript(records: readonly NamedRecord[], kind: ScriptKind, before = ""): string {
  const isTyped = kind.language === "ts";
  const isCommon = !isTyped && !kind.isModule;
  const words = new Set(before.match(/[A-Za-z_$][\w$]*/g));
  const lists = sharedLists(records, words);
  const names = new UniqueNames([...words, ...lists.values()]);
  const constants = [...lists].map(([text, name]) => `const ${name} = ${formatLiteral(text)};\n`);
  const resources = records.map((each) => {
    const fields = Object.entries(nonDefaultArgs(each)).map(([name, value]) => {
      const text = JSON.stringify(value);
      const cast =
        isTyped && needsTypeCast(each, name) ? ` as tracking.${each.resource.type}Args["${name}"]` : "";
      return `  ${name}: ${lists.get(text) ?? formatLiteral(text)}${cast},\n`;
    });
    const comment = secretComment(each);
    if (comment !== undefined) fields.push(`  // ${comment}\n`);
    const variable = names.forVariable(each.name);
    const exported = isCommon ? `exports.${variable}` : `export const ${variable}`;
    return `${exported} = new tracking.${each.resource.type}(${JSON.stringify(each.name)}, {\n${fields.join("")}});\n`;
  });
  const entry = kind.form === "native" ? "pulumi-tracking/native" : "pulumi-tracking";
  const head = isCommon
    ? `const tracking = require("${entry}");\n`
    : `import * as tracking from "${entry}";\n`;
  return assembleProgram(before, head, [constants.join(""), ...resources]);
}

/** A text in double quotes. */
export const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;
/** The names of the arguments that a record is known by. */
export const KEYS = [...new Set(catalogue.map(({ key }) => key))].join("|");
const DECLARED = new RegExp(
  String.raw`new\s+tracking\.(\w+)\(\s*(${TEXT})\s*,\s*\{\s*(?:${KEYS}):\s*(${TEXT})`,
  "g",
);

/** What a program declares, if it is written as here. */
export function declaredInScript(text: string): DeclaredRecord[] {
  return [...text.matchAll(DECLARED)].map(([, type = "", name = "", key = ""]) => ({
    type,
    name: unquote(name),
    key: unquote(key),
  }));
}

/** Whether resources can be appended to this program: it imports the package under the name that they use. */
export function importsPackage(text: string): boolean {
  return /\bimport \* as tracking from ["']pulumi-tracking(\/native)?["']|\btracking = require\(["']pulumi-tracking(\/native)?["']\)/.test(
    text,
  );
}

/** A text in double quotes as it is, in any of the languages that are written here. */
export function unquote(text: string): string {
  const plain = text.replace(
    /\\(?:u\{([0-9a-f]+)\}|U([0-9a-f]{8})|u([0-9a-f]{4})|x([0-9a-f]{2})|(.))/gi,
    (_, ...codes) => {
      const [long, wide, short, byte, letter] = codes as (string | undefined)[];
      const code = long ?? wide ?? short ?? byte;
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
      return { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" }[letter ?? ""] ?? letter ?? "";
    },
  );
  return plain.slice(1, -1);
}

/** A record may have a word that only the service knows, which the compiler rejects without a cast. */
function needsTypeCast({ resource, state }: NamedRecord, name: string): boolean {
  const shape = resource.inputs[name]?.validator(zod());
  return shape !== undefined && "options" in shape && !shape.safeParse(state[name]).success;
}

/** A value as people write it, with invisible characters as escapes. */
function formatLiteral(json: string): string {
  const text = json.startsWith("[")
    ? `[${(JSON.parse(json) as string[]).map((each) => JSON.stringify(each)).join(", ")}]`
    : json;
  return escapeInvisibleCharacters(text, (code) =>
    code > 0xffff ? `\\u{${hex(code, 1)}}` : `\\u${hex(code, 4)}`,
  );
}
