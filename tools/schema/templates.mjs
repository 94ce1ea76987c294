import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The pages of the reference, as they are written by hand: what no definition says, with a slot for each generated part. */
const FOLDER = join(import.meta.dirname, "reference");

/** @param {string} page its name, such as `website` */
export const templateOf = (page) => readFile(join(FOLDER, `${page}.md`), "utf8");

/** What is below a heading of a page, without it. @param {string} page @param {string} heading */
export function sectionOf(page, heading) {
  const [, below] = page.split(`\n## ${heading}\n`);
  if (below === undefined) throw new Error(`A page of the reference has no section "${heading}".`);
  return below.split("\n## ")[0]?.trim() ?? "";
}

/** A fenced block of code, of which the schema's readers choose the language. */
const BLOCKS = /^```\w+\n[\s\S]*?^```$/gm;

/** The sections of a page that a description in the schema has, with which every SDK and the registry show it. @param {string} page */
export function describedParts(page) {
  const parts = [describedExamples(sectionOf(page, "Example Usage"))];
  if (page.includes("\n## Import\n")) {
    const section = sectionOf(page, "Import");
    const [command = ""] = section.match(BLOCKS) ?? [];
    // What follows is about the other forms, which these readers do not have.
    parts.push(`## Import\n\n${section.slice(0, section.indexOf(command) + command.length)}`);
  }
  return parts.join("\n\n");
}

/** Examples as Pulumi's registry and its generators read them. @param {string} text with a block for each language */
export function describedExamples(text) {
  const blocks = (text.match(BLOCKS) ?? []).join("\n\n");
  return `## Example Usage\n\n<!--Start PulumiCodeChooser -->\n${blocks}\n<!--End PulumiCodeChooser -->`;
}
