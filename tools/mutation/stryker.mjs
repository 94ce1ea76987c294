import { reportOf } from "./rerun.mjs";

/** Folders that no unit test reads. */
const unread = [
  "bench",
  "cli",
  "dist",
  "docs",
  "examples",
  "reports",
  "test/engine",
  "test/install",
  "*.tgz",
];

/**
 * Makes every small change to the code that Stryker knows, and runs the tests that reach each one. Mutants of code
 * that runs when a module is loaded are tried too, each against all tests.
 *
 * @param {{ name: string, mutate: readonly string[], tests: readonly string[] }} part files below `provider/`, and
 *   test files
 * @param {number} concurrency
 * @returns {ReturnType<import("@stryker-mutator/core").Stryker["runMutationTest"]>}
 */
export async function mutants({ name, mutate, tests }, concurrency) {
  // On a fresh clone, this module is loaded before packages are installed.
  const { Stryker } = await import("@stryker-mutator/core");
  // Not by Stryker's own `testFiles`: with that, it wakes a mutant of what is computed at load only after it is loaded.
  process.env.MUTATION_TESTS = tests.join(" ");
  return new Stryker({
    packageManager: "npm",
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "tools/mutation/vitest.config.mts", related: false },
    mutate: mutate.map((file) => `provider/${file}.ts`),
    ignorePatterns: unread,
    coverageAnalysis: "perTest",
    concurrency,
    // Tests everything again, and writes the report there.
    incremental: true,
    force: true,
    incrementalFile: reportOf(name),
    // On a busy machine, tests that talk to a server are slow, not stuck.
    timeoutMS: 20_000,
    timeoutFactor: 3,
    tempDirName: ".stryker-tmp",
    // Lines with progress and remaining time.
    reporters: ["progress-append-only"],
    warnings: { slow: false, unknownOptions: true, preprocessorErrors: true, unserializableOptions: true },
    allowConsoleColors: false,
  }).runMutationTest();
}
