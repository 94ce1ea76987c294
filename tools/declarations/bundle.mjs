import { join } from "node:path";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
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
  const input = Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(ROOT, file)]));
  const plugins = [dts({ tsconfig: join(ROOT, "tsconfig.build.json") })];
  const bundle = await rollup({ input, external: PACKAGES, plugins });
  const { output } = await bundle.write({
    dir: folder,
    entryFileNames: "[name].d.ts",
    chunkFileNames: "chunks/[name].d.ts",
  });
  await bundle.close();
  for (const { fileName } of output) await flatten(join(folder, fileName));
}
