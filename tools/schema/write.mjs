import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "../root.mjs";
import { descriptions } from "./descriptions.mjs";

/** Below node_modules, so that the code finds the packages that it needs. */
const PLACE = join(ROOT, "node_modules", ".cache", "pulumi-tracking");
const SOURCES = {
  declaration: "sdk/declarations/json-schema.ts",
  resources: "provider/resources/index.ts",
};

/**
 * Writes the JSON schema of the files that `declareFrom` reads, made from the definitions of the resources.
 *
 * @param {string} file
 */
export async function writeSchema(file) {
  await mkdir(PLACE, { recursive: true });
  const folder = await mkdtemp(join(PLACE, "schema-"));
  try {
    const { jsonSchema, catalogue } = await load(folder);
    const words = await descriptions();
    const schema = jsonSchema(catalogue, (type, argument) => words.get(`${type}.${argument}`));
    await writeFile(file, `${JSON.stringify(schema, null, 2)}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Compiles what the schema is made by, and loads it.
 *
 * @param {string} folder
 * @returns {Promise<typeof import("../../sdk/declarations/json-schema.ts") & typeof import("../../provider/resources/index.ts")>}
 */
async function load(folder) {
  // On a fresh clone, this module is loaded before packages are installed.
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({ cwd: ROOT, platform: "node", input: SOURCES, external: /^[^./]/ });
  await bundle.write({ dir: folder, format: "cjs", exports: "named", entryFileNames: "[name].cjs" });
  await bundle.close();
  const require = createRequire(join(folder, "here.cjs"));
  return { ...require("./declaration.cjs"), ...require("./resources.cjs") };
}
