import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Which tests are tried, if not all of them. */
const { TESTS = "test/{provider,faults}/**/*.test.ts test/model/ledger.test.ts" } = process.env;

/** The provider's unit tests, with few generated cases from one seed, so that runs can be compared. */
export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: TESTS.split(" "),
    testTimeout: 20_000,
    provide: {
      bodies: { size: 100, seed: 1 },
      sizes: {
        model: 1,
        configurations: 1,
        ledger: 50,
        oddServices: 1,
        engineModel: 1,
        engineConfigurations: 1,
        seed: 1,
        endOnFailure: true,
      },
    },
  },
});
