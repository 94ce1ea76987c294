import { readFile, writeFile } from "node:fs/promises";
import { runIfMain } from "./run-if-main.mjs";

/**
 * @typedef {object} Place where the repository can be read
 * @property {string} address of the repository, such as `https://github.com/owner/name`
 * @property {string} ref a tag, branch or commit
 */

/**
 * Replaces the links to files in a Markdown text of the repository's root by addresses, because npm's page of a package
 * has no files to link to. Pictures get the address of the raw file; links within the text stay.
 *
 * @param {string} text
 * @param {Place} place
 */
export function withAddresses(text, { address, ref }) {
  return text.replace(/(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)/g, (_, picture, words, file) => {
    const view = picture === "" ? "blob" : "raw";
    return `${picture}[${words}](${address}/${view}/${ref}/${file})`;
  });
}

const USAGE = `node tools/links.mjs ADDRESS REF

Turns the links of README.md to files into addresses below ADDRESS, the repository's, as of REF.
For the release: npm's page of the package has no files to link to.`;

await runIfMain(
  import.meta.url,
  async () => {
    const [address, ref] = process.argv.slice(2);
    if (address === undefined || ref === undefined) throw new Error(USAGE);
    await writeFile("README.md", withAddresses(await readFile("README.md", "utf8"), { address, ref }));
  },
  USAGE,
);
