import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../root.mjs";
import { schemas } from "../schema/schemas.mjs";
import { downloadAddress } from "./address.mjs";

/** What the build puts into the code: the version, the schema, and where the plugin can be downloaded. */
export async function definitions() {
  /** @type {{ version: string, repository?: { url?: string } }} */
  const manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const schema = await schemas();
  return {
    schema,
    define: {
      TRACKING_VERSION: JSON.stringify(manifest.version),
      TRACKING_SCHEMA: JSON.stringify(JSON.stringify(schema.package)),
      TRACKING_DOWNLOAD_ADDRESS: JSON.stringify(downloadAddress(manifest) ?? ""),
    },
  };
}

/**
 * The plugin is one file with all that it needs: the engine starts it wherever it lies, and nobody promises that the
 * stubs of the protocol stay as they are.
 *
 * @param {Record<string, string>} define
 * @param {string} file
 */
export async function bundlePlugin(define, file) {
  // On a fresh clone, this module is loaded before packages are installed.
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({
    cwd: ROOT,
    platform: "node",
    input: "provider/hosts/native/main.ts",
    tsconfig: "tsconfig.build.json",
    transform: { define },
  });
  await bundle.write({ file, format: "cjs", codeSplitting: false, minify: true, comments: false });
  await bundle.close();
}
