import { ensureEngine } from "./engine/setup.mjs";
import { ensurePackages } from "./packages.mjs";
import { runIfMain } from "./run-if-main.mjs";
import { vitest } from "./vitest.mjs";

/** The tests of the engine that hold for the plugin as for the dynamic form. */
const SUITES = [
  "canary",
  "declare",
  "drift",
  "faults",
  "import",
  "import-parts",
  "import-refusals",
  "keys",
  "ledger",
  "migration",
  "native",
  "odd-services",
  "ownership",
  "plugin-download",
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
  const env = { ...process.env, FORM: "native", LANGUAGES: "all" };
  process.exitCode = (await vitest(["run", "--project", "engine", ...files], env)) ?? 1;
}

const usage = `npm run test:native -- [ARGUMENTS OF VITEST]

Runs the engine's tests over the plugin, and programs in Python and Go. Takes 15 to 20 minutes on two cores. Programs
in Python need python3 and the package registry, those in Go need Go; where they are missing, the test says so and is
skipped.

  npm run test:native -- test/engine/languages   only some files`;

await runIfMain(import.meta.url, testNative, usage);
