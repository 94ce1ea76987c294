import type { ResourceForm } from "../look/held";
import { comments, escapeInvisible, nonDefaultArgs, sharedLists, type WrittenRecord } from "./written-record";

/** How a program loads the package. */
export interface ScriptStyle {
  readonly language: "ts" | "js";
  /** It is an ES module. */
  readonly isModule: boolean;
  readonly form: ResourceForm;
}

/** The package's entry whose classes have this form. */
export function entryOf(form: ResourceForm): string {
  return form === "native" ? "pulumi-tracking/native" : "pulumi-tracking";
}

/** A record may have a word that only the service knows, such as a new type of pixel. The compiler rejects it without a cast. */
function castOf({ resource, state }: WrittenRecord, name: string, { language }: ScriptStyle): string {
  const words = language === "ts" ? resource.inputs[name]?.words : undefined;
  const isUnknown = words !== undefined && !words.includes(String(state[name]));
  return isUnknown ? ` as tracking.${resource.type}Args["${name}"]` : "";
}

/** The width of Prettier and Biome. */
const MAX_WIDTH = 80;

/** A value as JavaScript has it. */
function literal(value: unknown): string {
  return escapeInvisible(JSON.stringify(value));
}

/** A value after a name; a list that does not fit on the line has a line for each element. */
function assigned(indent: string, name: string, value: unknown): string {
  const start = indent + name;
  if (!Array.isArray(value)) return start + literal(value);
  const line = `${start}[${value.map(literal).join(", ")}]`;
  if (line.length < MAX_WIDTH) return line;
  return `${start}[\n${value.map((element) => `${indent}  ${literal(element)},\n`).join("")}${indent}]`;
}

/**
 * The records as a program for Node.js: what differs from the defaults, and each list that several share once.
 *
 * @param remarks what a reader should know of all of them
 */
export function generateScript(
  records: readonly WrittenRecord[],
  style: ScriptStyle,
  remarks: readonly string[] = [],
): string {
  const lists = sharedLists(records);
  const constants = [...lists]
    .map(([json, name]) => `${assigned("", `const ${name} = `, JSON.parse(json))};\n`)
    .join("");
  const resources = records.map((record) => {
    const fields = Object.entries(nonDefaultArgs(record)).map(([name, value]) => {
      const shared = lists.get(JSON.stringify(value));
      const text = shared === undefined ? assigned("  ", `${name}: `, value) : `  ${name}: ${shared}`;
      return `${text}${castOf(record, name, style)},\n`;
    });
    const ownRemarks = comments(record).map((text) => `  // ${text}\n`);
    return `new tracking.${record.resource.type}(${JSON.stringify(record.name)}, {\n${[...fields, ...ownRemarks].join("")}});\n`;
  });
  const entry = entryOf(style.form);
  const head =
    style.language === "js" && !style.isModule
      ? `const tracking = require("${entry}");\n`
      : `import * as tracking from "${entry}";\n`;
  const remarksOnAll = remarks.length === 0 ? [] : [remarks.map((text) => `// ${text}\n`).join("")];
  return [head, ...remarksOnAll, ...(constants === "" ? [] : [constants]), ...resources].join("\n");
}
