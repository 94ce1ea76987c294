import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "../root.mjs";
import { packageSchema } from "./package.mjs";
import { descriptions } from "./reflected.mjs";

/** Below node_modules, so that the code finds the packages that it needs. */
const PLACE = join(ROOT, "node_modules", ".cache", "pulumi-tracking");
const SOURCES = {
  declaration: "sdk/declarations/json-schema.ts",
  resources: "provider/resources/index.ts",
  lookups: "provider/hosts/native/lookups.ts",
  settings: "provider/config/settings.ts",
  identity: "provider/hosts/dynamic/identity.ts",
  pluginIdentity: "provider/hosts/native/identity.ts",
  zod: "provider/schema/zod.ts",
};

/**
 * The schemas that are made from the definitions: of the files that `declareFrom` reads, and of the package as Pulumi
 * reads it.
 *
 * @param {object} [home] what package.json would say otherwise
 */
export async function schemas(home) {
  await mkdir(PLACE, { recursive: true });
  const folder = await mkdtemp(join(PLACE, "schema-"));
  try {
    const definitions = await load(folder);
    const words = await descriptions();
    const { catalogue, jsonSchema } = definitions;
    // The definitions were loaded for this alone, so their fields may be completed.
    for (const { type, inputs } of catalogue)
      for (const [name, field] of Object.entries(inputs))
        Object.assign(field, { description: words.get(`${type}Args.${name}`) });
    return {
      declarations: jsonSchema(catalogue),
      package: await packageSchema(definitions, (member) => words.get(member), home),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Compiles what the schemas are made by, and loads it.
 *
 * @param {string} folder
 * @returns {Promise<typeof import("../../sdk/declarations/json-schema.ts") & import("./package.mjs").Definitions>}
 */
async function load(folder) {
  // On a fresh clone, this module is loaded before packages are installed.
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({ cwd: ROOT, platform: "node", input: SOURCES, external: /^[^./]/ });
  await bundle.write({ dir: folder, format: "cjs", exports: "named", entryFileNames: "[name].cjs" });
  await bundle.close();
  const require = createRequire(join(folder, "here.cjs"));
  return Object.assign({}, ...Object.keys(SOURCES).map((name) => require(`./${name}.cjs`)));
}

/** A schema as the text of its file. @param {object} schema */
export const textOf = (schema) => `${JSON.stringify(schema, null, 2)}\n`;
