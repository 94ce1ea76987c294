import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../child.mjs";
import { schemas } from "../schema/schemas.mjs";

const GENERATOR = fileURLToPath(new URL("./generator", import.meta.url));

/**
 * Generates the package of one language from the schema, into a folder. Needs Go. The engine's own
 * `pulumi package gen-sdk` asks a language host of the same age to do it, which CI cannot build: the last versions of
 * these hosts in Go's module proxy lack `GeneratePackage`.
 *
 * @param {"python" | "go"} language
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
