import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { doOnce } from "./once.mjs";
import { bundlePlugin, definitions, needsNode } from "./plugin/bundle.mjs";
import { ROOT } from "./root.mjs";
import { runIfMain } from "./run-if-main.mjs";
import { packageSchema, textOf } from "./schema/package.mjs";
import { writeReference } from "./schema/reference.mjs";
import { loadSource } from "./source.mjs";

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
/** What a build reads, besides packages, which package-lock.json names. */
const SOURCES = [
  ...["provider", "sdk", "cli", "emulator", "tools", "schema.json"],
  ...["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"],
];
/** An import that is not a path is a package, and stays external. */
const PACKAGES = /^[^./]/;

async function bundleCode() {
  // On a fresh clone, this module is loaded before packages are installed.
  const { build } = await import("rolldown");
  await build({
    cwd: ROOT,
    platform: "node",
    input: { ...ENTRIES, ...UNTYPED },
    external: PACKAGES,
    tsconfig: "tsconfig.build.json",
    transform: { define: await definitions() },
    // Without a line on where each module begins: 2 KB of the packed package.
    experimental: { attachDebugInfo: "none" },
    output: {
      dir: "dist",
      format: "cjs",
      exports: "named",
      intro: ({ isEntry, name }) =>
        isEntry ? needsNode("pulumi-tracking", { ends: name === "cli/main" }) : "",
      entryFileNames: "[name].js",
      chunkFileNames: "chunks/[name].js",
      // The types have it.
      comments: { jsdoc: false },
    },
  });
}

/** The schema for editors, with the descriptions of the committed schema. */
async function editorSchema() {
  /** @type {typeof import("./schema/definitions.ts")} */
  const { catalogue, jsonSchema, pluginToken } = await loadSource("tools/schema/definitions.ts");
  const { resources } = JSON.parse(await readFile(join(ROOT, "schema.json"), "utf8"));
  return jsonSchema(
    catalogue,
    (type, argument) => resources[pluginToken(type)].inputProperties[argument].description,
  );
}

/**
 * Lets dts-bundle-generator walk once from each name to all that use it: it walks again for each export, two thirds of a
 * build (https://github.com/timocov/dts-bundle-generator/issues/364).
 */
function rememberUsers() {
  const load = createRequire(import.meta.url);
  const { TypesUsageEvaluator } = load("dts-bundle-generator/dist/types-usage-evaluator.js");
  const usersOf = new WeakMap();
  TypesUsageEvaluator.prototype.isSymbolUsedBySymbol = function (
    /** @type {object} */ symbol,
    /** @type {object} */ by,
  ) {
    const used = this.getActualSymbol(symbol);
    if (!usersOf.has(used)) {
      const users = new Set([used]);
      // A set is read to its end, including what is added meanwhile.
      for (const each of users) for (const user of this.nodesParentsMap.get(each) ?? []) users.add(user);
      usersOf.set(used, users);
    }
    return usersOf.get(used).has(this.getActualSymbol(by));
  };
}

/** One file of types for each entry, with `export` at each declaration, so that an editor shows no alias. */
async function bundleTypes() {
  const { generateDtsBundle } = await import("dts-bundle-generator");
  rememberUsers();
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

async function rebuildPackage() {
  await rm(join(ROOT, "dist"), { recursive: true, force: true });
  /** @type {{ bin?: Record<string, string> }} */
  const { bin = {} } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  await Promise.all([bundleCode(), bundlePlugin(join(ROOT, "dist", PLUGIN)), bundleTypes()]);
  await writeFile(join(ROOT, "dist", "tracking.schema.json"), textOf(await editorSchema()));
  for (const place of Object.values(bin)) await chmod(join(ROOT, place), 0o755);
  // The engine looks for a dynamic provider in node_modules and nowhere else: so `pulumi up` in the repository finds it.
  await symlink("..", join(ROOT, "node_modules", "pulumi-tracking"), "junction").catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
}

/**
 * Builds the package in `dist/`: few files, so that it loads fast and a program's types are in one place,
 * and the schema for editors. Makes its commands runnable, and lets the repository's own programs find it. The demo, the tests
 * and the packing each ask for it, and only the first builds.
 *
 * @throws {Error} after the compiler's messages, if there are any
 */
export function buildPackage() {
  // npm ci removes the note, and with it the link to the package.
  const note = join("node_modules", ".cache", "pulumi-tracking", "built");
  return doOnce({ root: ROOT, sources: SOURCES, result: "dist", note }, rebuildPackage);
}

/** Writes the schema of the package and the reference, which are committed, and builds with it. */
async function build() {
  await writeFile(join(ROOT, "schema.json"), textOf(await packageSchema()));
  await writeReference();
  await buildPackage();
}

const { npm_lifecycle_event: script, INIT_CWD: startedIn = ROOT } = process.env;
// The examples have this package by its folder, and npm prepares it there: not what npm was started in, which needs no build.
const isPrepared = existsSync(join(ROOT, "dist")) || join(startedIn, "/") === join(ROOT, "/");
if (script !== "prepare" || !isPrepared) await runIfMain(import.meta.url, build);
