import { join } from "node:path";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { ROOT } from "../root.mjs";
import { flatten } from "./flatten.mjs";

/** An import that is not a path is a package, and stays external. */
const PACKAGES = /^[^./]/;

/**
 * Writes the types of the entry points: one file for each.
 *
 * @param {Record<string, string>} entries sources by the names of what is written
 * @param {string} folder
 */
export async function bundleTypes(entries, folder) {
  // The plugin keeps the names of absolute paths alone.
  const input = Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(ROOT, file)]));
  const plugins = [dts({ cwd: ROOT, tsconfig: join(ROOT, "tsconfig.build.json"), emitDtsOnly: true })];
  const bundle = await rolldown({
    cwd: ROOT,
    input,
    external: PACKAGES,
    plugins,
    // The compiler takes most of the time.
    checks: { pluginTimings: false },
  });
  const { output } = await bundle.write({
    dir: folder,
    // The plugin writes `.d.ts` for `.js`.
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name].js",
  });
  await bundle.close();
  for (const { fileName } of output) await flatten(join(folder, fileName));
}
