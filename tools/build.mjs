import { chmod, mkdir, readFile, readlink, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { run } from "./child.mjs";
import { whenEntry } from "./entry.mjs";
import { ROOT } from "./root.mjs";

/**
 * Compiles the package into `dist/`, anew, makes its commands runnable, and lets the repository's own programs
 * find it.
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
  await linkItself(join(ROOT, "node_modules", "pulumi-tracking"));
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

await whenEntry(import.meta.url, buildPackage);
