import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../child.mjs";
import { ensurePackages } from "../packages.mjs";
import { runIfMain } from "../run-if-main.mjs";
import { schemas } from "../schema/schemas.mjs";

const GENERATOR = fileURLToPath(new URL("./generator", import.meta.url));

/** The languages that packages are generated for here, where none of their hosts is needed. */
export const LANGUAGES = /** @type {const} */ (["python", "go", "nodejs"]);
/** @typedef {(typeof LANGUAGES)[number]} Language */

/**
 * Generates the package of one language from the schema, into a folder. Needs Go. The engine's own
 * `pulumi package gen-sdk` asks a language host of the same age to do it, which CI cannot build: the last versions of
 * these hosts in Go's module proxy lack `GeneratePackage`.
 *
 * @param {Language} language
 * @param {string} folder
 */
export async function generateSdk(language, folder) {
  const scratch = await mkdtemp(join(tmpdir(), "pulumi-tracking-sdk-"));
  try {
    const file = join(scratch, "schema.json");
    const { package: schema } = await schemas();
    await writeFile(file, JSON.stringify(schema));
    await mkdir(folder, { recursive: true });
    await run("go", ["run", "-mod=readonly", ".", language, file, resolve(folder)], { cwd: GENERATOR });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const usage = `npm run sdk -- LANGUAGE FOLDER

Generates the package of one language from the plugin's schema. Needs Go; the first run takes some minutes, since
it compiles the generator.

  LANGUAGE   ${LANGUAGES.join(", ")}
  FOLDER     where to write it`;

/** Generates one package, or says how. */
async function sdk() {
  await ensurePackages();
  const [wanted, folder] = process.argv.slice(2);
  const language = LANGUAGES.find((each) => each === wanted);
  if (language === undefined || folder === undefined) throw new Error(usage);
  await generateSdk(language, folder);
  console.log(`The package for ${language} is in ${folder}.`);
}

await runIfMain(import.meta.url, sdk, usage);
