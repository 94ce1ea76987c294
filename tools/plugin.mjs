import { ensurePackages } from "./packages.mjs";
import { writeArchives } from "./plugin/release.mjs";
import { runIfMain } from "./run-if-main.mjs";

const usage = `npm run plugin -- FOLDER

Writes the plugin's archives into a folder, one for each system and architecture, as a release has them. The same
sources give the same bytes.`;

/** Writes the archives, or says how. */
async function plugin() {
  await ensurePackages();
  const [folder] = process.argv.slice(2);
  if (folder === undefined) {
    console.error(usage);
    process.exitCode = 2;
    return;
  }
  for (const name of await writeArchives(folder)) console.log(name);
}

await runIfMain(import.meta.url, plugin, usage);
