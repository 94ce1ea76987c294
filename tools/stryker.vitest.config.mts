import { dirname } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { sizes } from "../vitest.config.mjs";

/** A change ends with the first test that notices it, so that the long ones come last. */
const LONG = /\/(laws|faults)\.test\.ts$/;

class LongLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => Number(LONG.test(moduleId));
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

/** The provider's unit tests, with few generated cases from one seed, so that runs can be compared. */
export default defineConfig({
  root: dirname(import.meta.dirname),
  test: {
    include: ["test/{provider,faults}/**/*.test.ts", "test/model/ledger.test.ts"],
    setupFiles: "test/seed.ts",
    sequence: { sequencer: LongLast },
    testTimeout: 20_000,
    provide: { sizes: { ...sizes, laws: 3, seed: 1, endOnFailure: true } },
  },
});
