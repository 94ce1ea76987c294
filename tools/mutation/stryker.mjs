import { reportOf } from "./rerun.mjs";

/** Folders that no unit test reads. */
const unread = ["bench", "cli", "dist", "docs", "examples", "reports", "test/engine", "*.tgz"];

/**
 * Changes the code in every small way that Stryker knows, and runs the tests that reach it for each. Mutants of
 * what is computed when a module is loaded are tried as well, each against all of the tests.
 *
 * @param {{ name: string, mutate: readonly string[], tests: readonly string[] }} part files below `provider/`, and
 *   test files
 * @param {number} concurrency
 * @returns {ReturnType<import("@stryker-mutator/core").Stryker["runMutationTest"]>}
 */
export async function mutants({ name, mutate, tests }, concurrency) {
  // On a fresh clone this module is read before there are packages.
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
    // The machine is busy, and many tests speak to a server: slow is not endless.
    timeoutMS: 20_000,
    timeoutFactor: 3,
    tempDirName: ".stryker-tmp",
    // Lines that say how far it is and how long it will still take.
    reporters: ["progress-append-only"],
    warnings: { slow: false, unknownOptions: true, preprocessorErrors: true, unserializableOptions: true },
    allowConsoleColors: false,
  }).runMutationTest();
}
