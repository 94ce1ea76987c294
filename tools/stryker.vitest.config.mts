import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The provider's unit tests, with few generated cases from one seed, so that runs can be compared. */
export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["test/{provider,faults}/**/*.test.ts", "test/model/ledger.test.ts"],
    testTimeout: 20_000,
    provide: {
      bodies: { size: 100, seed: 1 },
      sizes: {
        model: 1,
        configurations: 1,
        ledger: 50,
        oddServices: 1,
        laws: 3,
        engineModel: 1,
        engineConfigurations: 1,
        seed: 1,
        endOnFailure: true,
      },
    },
  },
});
