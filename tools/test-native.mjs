import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureEngine } from "./engine/setup.mjs";
import { ensurePackages } from "./packages.mjs";
import { ROOT } from "./root.mjs";
import { runIfMain } from "./run-if-main.mjs";

/** The tests of the engine that hold for the plugin as for the dynamic form. */
const SUITES = [
  "canary",
  "drift",
  "faults",
  "import",
  "import-parts",
  "import-refusals",
  "keys",
  "native",
  "ownership",
  "provider",
].map((name) => `test/engine/${name}.test.ts`);
/** Programs in other languages. */
const LANGUAGES = "test/engine/languages";

/** Runs the tests of the plugin that `npm test` leaves out. Arguments replace the list of files. */
async function testNative() {
  await ensurePackages();
  await ensureEngine();
  const given = process.argv.slice(2);
  const files = given.length > 0 ? given : [...SUITES, LANGUAGES];
  const child = spawn(
    process.execPath,
    [join(ROOT, "node_modules/vitest/vitest.mjs"), "run", "--project", "engine", ...files],
    { cwd: ROOT, env: { ...process.env, FORM: "native", LANGUAGES: "all" }, stdio: "inherit" },
  );
  await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  process.exitCode = child.exitCode ?? 1;
}

const usage = `npm run test:native -- [ARGUMENTS OF VITEST]

Runs the engine's tests over the plugin, and programs in Python and Go. Takes 15 to 20 minutes on two cores. Programs
in Python need python3 and the package registry, those in Go need Go; where they are missing, the test says so and is
skipped.

  npm run test:native -- test/engine/languages   only some files`;

await runIfMain(import.meta.url, testNative, usage);
