import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./root.mjs";
import { runIfMain } from "./run-if-main.mjs";

/**
 * What a changelog says about one version, without the version's heading.
 *
 * @param {string} changelog in the form of Keep a Changelog
 * @param {string} version such as `1.2.0`
 * @throws {Error} if the changelog has nothing about it
 */
export function notesOf(changelog, version) {
  const sections = changelog.split(/^## /m);
  const section = sections.find((text) => text.startsWith(`[${version}]`));
  const notes = section?.slice(section.indexOf("\n")).trim() ?? "";
  if (notes === "") throw new Error(`CHANGELOG.md says nothing about ${version}: add "## [${version}]".`);
  return notes;
}

const USAGE = `node tools/release-notes.mjs TAG

Prints what CHANGELOG.md says about the version of a tag such as v1.2.0, for the release on GitHub.`;

await runIfMain(
  import.meta.url,
  async () => {
    const [tag] = process.argv.slice(2);
    if (tag === undefined) throw new Error(USAGE);
    console.log(notesOf(await readFile(join(ROOT, "CHANGELOG.md"), "utf8"), tag.replace(/^v/, "")));
  },
  USAGE,
);
