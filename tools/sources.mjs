import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "./root.mjs";

/** In the repository, so that the code finds the packages that it needs, and this package by its name. Git ignores it. */
const PLACE = join(ROOT, "reports");

/**
 * Compiles some of the package's sources, and loads all that they export.
 *
 * @template T what they export together
 * @param {readonly string[]} files
 * @returns {Promise<T>}
 */
export async function loadSources(files) {
  await mkdir(PLACE, { recursive: true });
  const folder = await mkdtemp(join(PLACE, "sources-"));
  try {
    // On a fresh clone, this module is loaded before packages are installed.
    const { build } = await import("rolldown");
    const input = Object.fromEntries(files.map((file, at) => [`${at}`, file]));
    await build({
      cwd: ROOT,
      platform: "node",
      input,
      external: /^[^./]/,
      output: { dir: folder, format: "cjs", exports: "named", entryFileNames: "[name].cjs" },
    });
    const require = createRequire(join(folder, "here.cjs"));
    return Object.assign({}, ...files.map((_, at) => require(`./${at}.cjs`)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
