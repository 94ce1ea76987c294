import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../tools/root.mjs";

/** The text of the README. */
export const readme = readFileSync(join(ROOT, "README.md"), "utf8");

/** The text of the guide. */
export const guide = readFileSync(join(ROOT, "docs", "guide.md"), "utf8");

/** The text of the recipes. */
export const recipes = readFileSync(join(ROOT, "docs", "recipes.md"), "utf8");

/** The text on other languages. */
export const languages = readFileSync(join(ROOT, "docs", "other-languages.md"), "utf8");

/** The text of the page that Pulumi's registry shows first. */
export const frontPage = readFileSync(join(ROOT, "docs", "_index.md"), "utf8");

/** The pages of the reference, by their files in the repository. */
export const reference = Object.fromEntries(
  readdirSync(join(ROOT, "docs", "reference"))
    .map((name) => `docs/reference/${name}`)
    .map((file) => [file, readFileSync(join(ROOT, file), "utf8")]),
);

/** The fenced code blocks of a language, in order; from the README by default. */
export function blocks(language: string, document = readme): string[] {
  return [...document.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, named]) => named === language)
    .map(([, , text]) => text ?? "");
}

/** The commands of the shell blocks below a heading of a document, by default the guide. */
export function commandsBelow(heading: string, document = guide): string[] {
  const [, after = ""] = document.split(`\n## ${heading}\n`);
  const [section = ""] = after.split(/^## /m);
  const lines = blocks("bash", section).flatMap((block) => block.split("\n"));
  return lines.map((line) => line.replace(/\s+# .*/, "").trim()).filter(Boolean);
}

/** The texts of all code spans, such as those of a cell. */
export function codes(text = ""): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
}
