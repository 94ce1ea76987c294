import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { MAJOR, MINOR, OLDEST_NODE } from "../node.mjs";
import { ROOT } from "../root.mjs";

/** What gRPC's monitoring loads, which is never reached. */
const LEFT_OUT = ["@grpc/proto-loader"];
/** zod's messages in fifty languages: those of the plugin are in English. */
const TRANSLATIONS = /zod\/v4\/locales\/index\.js$/;

/** What the build puts into the code: the version, the committed schema, and where the plugin can be downloaded. */
export async function definitions() {
  const schema = JSON.parse(await readFile(join(ROOT, "schema.json"), "utf8"));
  return {
    TRACKING_VERSION: JSON.stringify(schema.version),
    TRACKING_SCHEMA: JSON.stringify(JSON.stringify(schema)),
    TRACKING_DOWNLOAD_ADDRESS: JSON.stringify(schema.pluginDownloadURL ?? ""),
  };
}

/**
 * What a bundle begins with: an older Node.js would fail later, with a message that blames something else.
 *
 * @param {string} name who needs it
 * @param {{ ends: boolean }} then whether it ends the process, which is then its own
 */
export function needsNode(name, { ends }) {
  const text = `"${name} needs Node.js ${OLDEST_NODE} or newer, and this is " + process.version + "."`;
  return `{
    const [major, minor] = process.versions.node.split(".").map(Number);
    if (major < ${MAJOR} || (major === ${MAJOR} && minor < ${MINOR})) {
      ${ends ? `console.error(${text}); process.exit(1);` : `throw new Error(${text});`}
    }
  }`;
}

/** The licences of the packages that are in the plugin's file, in a file beside it. */
export const LICENCES = "LICENSES-of-packages";
/** The pages of a release's archive: beside the file that runs, a script or an executable. A home is written `~`. */
const PAGES_BESIDE = `(function (folder, home) {
  return (home !== "" && (folder + "/").startsWith(home + "/") ? "~" + folder.slice(home.length) : folder) + "/docs/";
})(__dirname, process.env.HOME ?? "")`;
/** How messages name the command line, and the code has the pages; and how for those who have only a release's archive, and no npm. */
const NAMES_IN_ARCHIVE = Object.entries({
  "npx pulumi-tracking": "pulumi plugin run --kind resource tracking --",
  '"node_modules/pulumi-tracking/docs/"': PAGES_BESIDE,
});
/** In the npm package, the command line is in a file of its own. */
const COMMAND_LINE = {
  filter: { id: /^\.\/main\.js$/ },
  handler: () => ({ id: "../cli/main.js", external: true }),
};

/**
 * The plugin is one file with all that it needs: the engine starts it wherever it lies, and nobody promises that the
 * stubs of the protocol stay as they are.
 *
 * @param {string} file
 * @param {{ isWhole?: boolean }} [options] whether the command line is in the file too, as in a release's archive
 */
export async function bundlePlugin(file, { isWhole = false } = {}) {
  // On a fresh clone, this module is loaded before packages are installed.
  const { build } = await import("rolldown");
  const { licensePlugin } = await import("rolldown-license-plugin");
  const named = (/** @type {string} */ code) =>
    NAMES_IN_ARCHIVE.reduce(
      (text, [name, nameInArchive]) => text.replaceAll(name, () => nameInArchive),
      code,
    );
  await build({
    cwd: ROOT,
    platform: "node",
    input: "cli/plugin.ts",
    tsconfig: "tsconfig.build.json",
    transform: { define: await definitions() },
    external: LEFT_OUT,
    // One copy, whether it is required or imported.
    resolve: { alias: { zod: join(ROOT, "node_modules", "zod", "index.js") } },
    plugins: [
      { name: "translations", load: { filter: { id: TRANSLATIONS }, handler: () => "export {};" } },
      isWhole ? { name: "command", transform: named } : { name: "command-line", resolveId: COMMAND_LINE },
      licensePlugin({
        done: (packages, { emitFile }) => {
          const texts = packages.map(
            ({ name, version, license, licenseText }) =>
              `${name} ${version} (${license})\n\n${licenseText}\n`,
          );
          emitFile({ type: "asset", fileName: LICENCES, source: texts.join("\n") });
        },
        failOnUnlicensed: true,
      }),
    ],
    output: {
      file,
      format: "cjs",
      codeSplitting: false,
      minify: true,
      comments: false,
      intro: needsNode("The plugin pulumi-resource-tracking", { ends: true }),
    },
  });
}
