import { join } from "node:path";
import { ROOT } from "../root.mjs";
import { schemas } from "../schema/schemas.mjs";

/** What gRPC's monitoring loads, which is never reached. */
const LEFT_OUT = ["@grpc/proto-loader"];
/** zod's messages in fifty languages: those of the plugin are in English. */
const TRANSLATIONS = /zod\/v4\/locales\/index\.js$/;

/** What the build puts into the code: the version, the schema, and where the plugin can be downloaded. */
export async function definitions() {
  const schema = await schemas();
  return {
    schema,
    define: {
      TRACKING_VERSION: JSON.stringify(schema.package.version),
      TRACKING_SCHEMA: JSON.stringify(JSON.stringify(schema.package)),
      TRACKING_DOWNLOAD_ADDRESS: JSON.stringify(schema.package.pluginDownloadURL ?? ""),
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
  const { build } = await import("rolldown");
  await build({
    cwd: ROOT,
    platform: "node",
    input: "provider/hosts/native/main.ts",
    tsconfig: "tsconfig.build.json",
    transform: { define },
    external: LEFT_OUT,
    // One copy, whether it is required or imported.
    resolve: { alias: { zod: join(ROOT, "node_modules", "zod", "index.js") } },
    plugins: [{ name: "translations", load: { filter: { id: TRANSLATIONS }, handler: () => "export {};" } }],
    output: { file, format: "cjs", codeSplitting: false, minify: true, comments: false },
  });
}
