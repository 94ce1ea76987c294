import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The tests of one part, as patterns with a blank between; every unit test where nothing is said. */
const { MUTATION_TESTS = "test/{provider,faults,sdk}/**/*.test.ts" } = process.env;

/** How many stories are told where a guard is taken out, and where they begin. */
const { MUTATION_SEED = "1" } = process.env;
const STORIES = 2_000;
const NONE = {
  model: 0,
  adoption: 0,
  configurations: 0,
  faultRuns: 0,
  oddServices: 0,
  engineModel: 0,
  engineConfigurations: 0,
};

/**
 * The unit tests once more, for one change to the code after the other: no project of the engine's, few generated
 * cases, and a longer time for each test, since the machine is busy with other changes meanwhile.
 */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: MUTATION_TESTS.split(" "),
    testTimeout: 20_000,
    provide: {
      bodies: { size: 100, seed: 1 },
      sizes: { ...NONE, ledger: STORIES, seed: Number(MUTATION_SEED), endOnFailure: true },
    },
  },
});
