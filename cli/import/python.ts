import { catalogue } from "../../provider/resources";
import {
  assembleProgram,
  type NamedRecord,
  nonDefaultArgs,
  secretComment,
  sharedLists,
} from "./generated-program";
import { escapeInvisibleCharacters, fixedWidthEscape } from "./invisible-characters";
import { type DeclaredRecord, KEYS, TEXT, unquote } from "./script";
import { UniqueNames } from "./unique-names";

const HEAD = "import pulumi_tracking as tracking\n";

/** Writes the records as a program in Python, or appends them to an existing one. */
export function generatePython(records: readonly NamedRecord[], before = ""): string {
  const words = new Set(before.match(/[A-Za-z_]\w*/g));
  const lists = sharedLists(records, words);
  const names = new UniqueNames([...words, ...[...lists.values()].map(snakeCase)]);
  const constants = [...lists].map(([text, name]) => `${snakeCase(name)} = ${literal(JSON.parse(text))}\n`);
  const resources = records.map((each) => {
    const fields = Object.entries(nonDefaultArgs(each)).map(([name, value]) => {
      const shared = lists.get(JSON.stringify(value));
      return `    ${snakeCase(name)}=${shared === undefined ? literal(value) : snakeCase(shared)},\n`;
    });
    const comment = secretComment(each);
    if (comment !== undefined) fields.push(`    # ${comment}\n`);
    const variable = names.forPython(each.name);
    return `${variable} = tracking.${each.resource.type}(\n    ${literal(each.name)},\n${fields.join("")})\n`;
  });
  return assembleProgram(before, HEAD, [constants.join(""), ...resources]);
}

const DECLARED = new RegExp(
  String.raw`\btracking\.(\w+)\(\s*(${TEXT})\s*,\s*(?:${KEYS})\s*=\s*(${TEXT})`,
  "g",
);

/** What a program declares, if it is written as here. */
export function declaredInPython(text: string): DeclaredRecord[] {
  return [...text.matchAll(DECLARED)]
    .filter(([, type]) => catalogue.some((each) => each.type === type))
    .map(([, type = "", name = "", key = ""]) => ({ type, name: unquote(name), key: unquote(key) }));
}

/** Whether resources can be appended to this program: it imports the package under the name that they use. */
export function importsPythonPackage(text: string): boolean {
  return /^import pulumi_tracking as tracking$/m.test(text);
}

/** A name as Python writes it, and as the generated package calls an argument. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value === "boolean") return value ? "True" : "False";
  return escapeInvisibleCharacters(JSON.stringify(value), fixedWidthEscape);
}
