import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

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
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["test/{provider,faults}/**/*.test.ts", "test/model/ledger.test.ts"],
    setupFiles: ["tools/stryker.setup.ts"],
    sequence: { sequencer: LongLast },
    testTimeout: 20_000,
    provide: {
      bodies: { size: 100, seed: 1 },
      sizes: {
        handful: true,
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
