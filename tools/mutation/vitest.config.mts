import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The tests of one part, as patterns with a blank between; every unit test where nothing is said. */
const { MUTATION_TESTS = "test/{provider,faults,sdk}/**/*.test.ts" } = process.env;

/**
 * The unit tests once more, for one change to the code after the other: no project of the engine's, few generated
 * cases, and a longer time for each test, since the machine is busy with other changes meanwhile.
 */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: MUTATION_TESTS.split(" "),
    testTimeout: 20_000,
    provide: { bodies: { size: 100, seed: 1 } },
  },
});
