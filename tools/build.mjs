import { chmod, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { run } from "./child.mjs";
import { whenEntry } from "./entry.mjs";
import { ROOT } from "./root.mjs";

/**
 * Compiles the package into `dist/`, anew, and makes its commands runnable.
 *
 * @throws {import("./child.mjs").CommandFailed} with the compiler's messages
 */
export async function buildPackage() {
  await rm(join(ROOT, "dist"), { recursive: true, force: true });
  const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  await run(process.execPath, [compiler, "--project", "tsconfig.build.json"], { cwd: ROOT });
  /** @type {{ bin?: Record<string, string> }} */
  const { bin = {} } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  for (const [command, place] of Object.entries(bin)) {
    const file = join(ROOT, place);
    if (!(await readFile(file, "utf8")).startsWith("#!"))
      throw new Error(`${command}: ${place} has no #! line`);
    await chmod(file, 0o755);
  }
}

await whenEntry(import.meta.url, buildPackage);
