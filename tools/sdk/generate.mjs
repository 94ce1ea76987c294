import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../child.mjs";
import { ensurePackages } from "../packages.mjs";
import { runIfMain } from "../run-if-main.mjs";
import { schemas } from "../schema/schemas.mjs";

const GENERATOR = fileURLToPath(new URL("./generator", import.meta.url));

/**
 * Generates the package of one language from the schema, into a folder. Needs Go. The engine's own
 * `pulumi package gen-sdk` asks a language host of the same age to do it, which CI cannot build: the last versions of
 * these hosts in Go's module proxy lack `GeneratePackage`.
 *
 * @param {string} language python or go
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

const usage = `node tools/sdk/generate.mjs python|go FOLDER

Generates the package of that language into a folder, as a release publishes it. Needs Go.`;

await runIfMain(
  import.meta.url,
  async () => {
    await ensurePackages();
    const [language, folder] = process.argv.slice(2);
    if (language === undefined || folder === undefined) throw new Error(usage);
    await generateSdk(language, folder);
  },
  usage,
);
