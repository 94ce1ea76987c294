import { Stryker } from "@stryker-mutator/core";

/** Folders that no unit test reads. */
const unread = ["bench", "cli", "dist", "docs", "examples", "reports", "test/engine", "*.tgz"];

/**
 * Changes the code in every small way that Stryker knows, and runs the tests that reach it for each. Mutants of
 * what is computed when a module is loaded are tried as well, each against all of the tests.
 *
 * @param {{ name: string, mutate: readonly string[], tests: readonly string[] }} part files below `provider/`, and
 *   test files
 * @param {{ again: boolean, concurrency: number }} options `again`: what the run before showed, and no change of its
 *   file or tests has put in doubt, is taken from there
 * @returns {ReturnType<Stryker["runMutationTest"]>}
 */
export function mutants({ name, mutate, tests }, { again, concurrency }) {
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
    incremental: again,
    incrementalFile: `reports/mutation-${name}.json`,
    // The machine is busy, and many tests speak to a server: slow is not endless.
    timeoutMS: 20_000,
    timeoutFactor: 3,
    tempDirName: ".stryker-tmp",
    reporters: ["dots"],
    warnings: { slow: false, unknownOptions: true, preprocessorErrors: true, unserializableOptions: true },
    allowConsoleColors: false,
  }).runMutationTest();
}
