import { chmod, mkdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ensurePackages } from "./packages.mjs";
import { bundlePlugin, definitions } from "./plugin/bundle.mjs";
import { ROOT } from "./root.mjs";
import { runIfMain } from "./run-if-main.mjs";
import { withAddress } from "./schema/home.mjs";
import { textOf } from "./schema/schemas.mjs";

/** The entry points that others load: programs, the engine's process, tools. */
const ENTRIES = {
  "sdk/index": "sdk/index.ts",
  "provider/hosts/dynamic": "provider/hosts/dynamic/index.ts",
  "emulator/index": "emulator/index.ts",
};
/** Built without types: the command line, and the entry over the plugin, which has the types of the main one. */
const UNTYPED = { "cli/main": "cli/main.ts", "sdk/native": "sdk/native.ts" };
/** The plugin, one file. */
export const PLUGIN = "plugin/pulumi-resource-tracking.js";
/** An import that is not a path is a package, and stays external. */
const PACKAGES = /^[^./]/;

/**
 * Rebuilds the package in `dist/`: few files, so that it loads fast and a program's types are in one place,
 * and the schema for editors. Makes its commands runnable, and lets the repository's own programs find it.
 *
 * @returns the schemas
 * @throws {Error} after the compiler's messages, if there are any
 */
export async function buildPackage() {
  await rm(join(ROOT, "dist"), { recursive: true, force: true });
  /** @type {{ bin?: Record<string, string> }} */
  const { bin = {} } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const { schema, define } = await definitions();
  await Promise.all([bundleCode(define), bundlePlugin(define, join(ROOT, "dist", PLUGIN)), bundleTypes()]);
  await writeFile(join(ROOT, "dist", "tracking.schema.json"), textOf(schema.declarations));
  for (const [command, place] of Object.entries(bin)) {
    const file = join(ROOT, place);
    if (!(await readFile(file, "utf8")).startsWith("#!"))
      throw new Error(`${command}: ${place} has no #! line`);
    await chmod(file, 0o755);
  }
  await linkItself(join(ROOT, "node_modules", "pulumi-tracking"));
  return schema;
}

/** @param {Record<string, string>} define */
async function bundleCode(define) {
  // On a fresh clone, this module is loaded before packages are installed.
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({
    cwd: ROOT,
    platform: "node",
    input: { ...ENTRIES, ...UNTYPED },
    external: PACKAGES,
    tsconfig: "tsconfig.build.json",
    transform: { define },
  });
  await bundle.write({
    dir: join(ROOT, "dist"),
    format: "cjs",
    exports: "named",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name].js",
    // The types have it.
    comments: { jsdoc: false },
  });
  await bundle.close();
}

/** One file of types for each entry, with `export` at each declaration, so that an editor shows no alias. */
async function bundleTypes() {
  const { generateDtsBundle } = await import("dts-bundle-generator");
  const texts = generateDtsBundle(
    Object.values(ENTRIES).map((file) => ({
      filePath: join(ROOT, file),
      libraries: { importedLibraries: ["@pulumi/pulumi", "zod"], allowedTypesLibraries: [] },
      output: { noBanner: true, exportReferencedTypes: false },
    })),
    { preferredConfigPath: join(ROOT, "tsconfig.build.json") },
  );
  for (const [at, name] of Object.keys(ENTRIES).entries()) {
    const file = join(ROOT, "dist", `${name}.d.ts`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, texts[at] ?? "");
  }
}

/**
 * Makes the repository one of its own packages: the engine's process for dynamic resources looks for the package
 * in a node_modules folder and nowhere else, so that `pulumi up` in the repository would not find it.
 *
 * @param {string} place
 */
async function linkItself(place) {
  if ((await readlink(place).catch(() => undefined)) === "..") return;
  await rm(place, { recursive: true, force: true });
  await mkdir(dirname(place), { recursive: true });
  // Another build may have just made it.
  await symlink("..", place, "junction").catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
}

/** The files that name the plugin's address, which follows from the repository in package.json. */
const ADDRESSED = [
  "docs/installation-configuration.md",
  "docs/other-languages.md",
  "examples/python/Pulumi.yaml",
];

await runIfMain(import.meta.url, async () => {
  await ensurePackages();
  const schema = await buildPackage();
  // Only here, or a test that builds would hide that the committed file is old.
  await writeFile(join(ROOT, "schema.json"), textOf(schema.package));
  for (const page of ADDRESSED) {
    const file = join(ROOT, page);
    await writeFile(file, withAddress(await readFile(file, "utf8"), schema.package.pluginDownloadURL));
  }
});
