import { zod } from "../../provider/schema/zod";
import type { ResourceForm } from "../stack-records";
import {
  escapeInvisible,
  nonDefaultArgs,
  secretComment,
  sharedLists,
  type WrittenRecord,
} from "./written-record";

/** How a program loads the package. */
export interface ScriptKind {
  readonly language: "ts" | "js";
  /** It is an ES module. */
  readonly isModule: boolean;
  readonly form: ResourceForm;
}

/** The records as a program for Node.js: what differs from the defaults, and each list that several share once. */
export function generateScript(records: readonly WrittenRecord[], kind: ScriptKind): string {
  const lists = sharedLists(records);
  const constants = [...lists]
    .map(([json, name]) => `const ${name} = ${literal(JSON.parse(json))};\n`)
    .join("");
  const resources = records.map((each) => {
    const fields = Object.entries(nonDefaultArgs(each)).map(([name, value]) => {
      const shared = lists.get(JSON.stringify(value));
      return `  ${name}: ${shared ?? literal(value)}${castOf(each, name, kind)},\n`;
    });
    const comment = secretComment(each);
    if (comment !== undefined) fields.push(`  // ${comment}\n`);
    return `new tracking.${each.resource.type}(${JSON.stringify(each.name)}, {\n${fields.join("")}});\n`;
  });
  const entry = kind.form === "native" ? "pulumi-tracking/native" : "pulumi-tracking";
  const head =
    kind.language === "js" && !kind.isModule
      ? `const tracking = require("${entry}");\n`
      : `import * as tracking from "${entry}";\n`;
  return [head, ...(constants === "" ? [] : [constants]), ...resources].join("\n");
}

/** A record may have a word that only the service knows, which the compiler rejects without a cast. */
function castOf({ resource, state }: WrittenRecord, name: string, { language }: ScriptKind): string {
  const shape = language === "ts" ? resource.inputs[name]?.validator(zod()) : undefined;
  const isUnknown = shape !== undefined && "options" in shape && !shape.safeParse(state[name]).success;
  return isUnknown ? ` as tracking.${resource.type}Args["${name}"]` : "";
}

function literal(value: unknown): string {
  const text = Array.isArray(value)
    ? `[${value.map((each) => JSON.stringify(each)).join(", ")}]`
    : JSON.stringify(value);
  return escapeInvisible(text, (code) =>
    code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`,
  );
}
