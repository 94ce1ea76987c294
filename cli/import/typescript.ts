import { PixelType } from "../../provider/resources";
import { escapeMarks, hex } from "./marks";
import { Names } from "./names";
import { lacksPassword, type Named, said, sharedLists } from "./program";

/** The records as a TypeScript program. */
export function typescript(records: readonly Named[]): string {
  const lists = sharedLists(records);
  const names = new Names(lists.values());
  const constants = [...lists].map(([text, name]) => `const ${name} = ${spaced(text)};\n`);
  const resources = records.map((each) => {
    const fields = Object.entries(said(each)).map(([name, value]) => {
      const text = JSON.stringify(value);
      return `  ${name}: ${lists.get(text) ?? spaced(text)}${unlisted(each, name) ? " as tracking.PixelType" : ""},\n`;
    });
    if (lacksPassword(each))
      fields.push("  // The service does not give its password; it keeps the one it has.\n");
    const variable = names.variable(each.name);
    return `export const ${variable} = new tracking.${each.resource.type}(${JSON.stringify(each.name)}, {\n${fields.join("")}});\n`;
  });
  return ['import * as tracking from "pulumi-tracking";\n', constants.join(""), ...resources]
    .filter((part) => part !== "")
    .join("\n");
}

/** A pixel may be of a type that only the service knows; the compiler has to be told. */
function unlisted({ resource, state }: Named, name: string): boolean {
  const known: readonly unknown[] = [...Object.values(PixelType), "x"];
  return resource.type === "Pixel" && name === "type" && !known.includes(state.type);
}

/** A list as people write it; marks that turn or hide text are written as escapes. */
function spaced(json: string): string {
  const text = json.startsWith("[")
    ? `[${(JSON.parse(json) as string[]).map((each) => JSON.stringify(each)).join(", ")}]`
    : json;
  return escapeMarks(text, (code) => (code > 0xffff ? `\\u{${hex(code, 1)}}` : `\\u${hex(code, 4)}`));
}
