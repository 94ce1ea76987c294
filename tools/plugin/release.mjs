import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../root.mjs";
import { archive } from "./archive.mjs";
import { bundlePlugin, definitions } from "./bundle.mjs";

const NAME = "pulumi-resource-tracking";
const SYSTEMS = /** @type {const} */ (["linux", "darwin", "windows"]);
const ARCHITECTURES = /** @type {const} */ (["amd64", "arm64"]);

/** Windows starts no script by its first line. */
const LAUNCHER = `@node "%~dp0\\${NAME}.js" %*\r\n`;

/**
 * Writes the plugin's archives, one for each system and architecture, under the names by which the engine asks a
 * release for them. The plugin is JavaScript: the archives differ for Windows alone.
 *
 * @param {string} folder
 * @returns {Promise<string[]>} their names
 */
export async function writeArchives(folder) {
  /** @type {{ version: string }} */
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const text = await pluginText();
  await mkdir(folder, { recursive: true });
  const names = [];
  for (const system of SYSTEMS) {
    const packed = archive(entriesFor(system, text));
    for (const architecture of ARCHITECTURES) {
      const name = `${NAME}-v${version}-${system}-${architecture}.tar.gz`;
      await writeFile(join(folder, name), packed);
      names.push(name);
    }
  }
  return names;
}

/**
 * @param {(typeof SYSTEMS)[number]} system
 * @param {Buffer} text
 */
function entriesFor(system, text) {
  if (system !== "windows") return [{ name: NAME, text }];
  return [
    { name: `${NAME}.cmd`, text: Buffer.from(LAUNCHER) },
    { name: `${NAME}.js`, text },
  ];
}

async function pluginText() {
  const scratch = await mkdtemp(join(tmpdir(), "pulumi-tracking-plugin-"));
  try {
    const file = join(scratch, `${NAME}.js`);
    await bundlePlugin((await definitions()).define, file);
    return await readFile(file);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
