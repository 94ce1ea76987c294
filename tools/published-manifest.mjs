import { copyFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ROOT } from "./root.mjs";
import { runIfMain } from "./run-if-main.mjs";

const MANIFEST = join(ROOT, "package.json");
/** The whole manifest, while npm packs. */
const KEPT = join(ROOT, "node_modules", ".cache", "pulumi-tracking", "package.json");

/** package.json as it is published: without scripts, which only the repository needs, and of which npm warns. */
export async function publishedManifest() {
  const { scripts: _, devDependencies: __, ...manifest } = await wholeManifest();
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

async function wholeManifest() {
  return JSON.parse(await readFile(MANIFEST, "utf8"));
}

// npm pack runs this before and after.
await runIfMain(import.meta.url, async () => {
  if (process.argv.includes("--restore")) return rename(KEPT, MANIFEST);
  // If it is in place already, to keep it would lose the whole one.
  if ((await wholeManifest()).scripts === undefined) return;
  const manifest = await publishedManifest();
  await mkdir(dirname(KEPT), { recursive: true });
  await copyFile(MANIFEST, KEPT);
  await writeFile(MANIFEST, manifest);
});
