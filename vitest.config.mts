import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest, though some of them are short. They begin first, so that at the end no worker waits for
 * another one. Without this, vitest goes by size on a fresh clone.
 */
const LONG = [
  "faults/faults",
  "provider/laws",
  "model/sequences",
  "model/configurations",
  "model/odd-services",
  "sdk/published",
  "docs/new-resource",
  "docs/reference",
  "engine/faults-process-death",
  "engine/ledger",
  "engine/bench",
  "engine/import-parts",
  "engine/import-dialects",
  "engine/import",
  "install/installation",
  "install/walk",
  "install/programs",
  "install/examples",
  "install/guide",
  "install/package",
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at === -1 ? LONG.length : at;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

/** How many generated answers the decoders are tried on, for each service; `npm run soak` sets both. */
const { BODIES = "3000", BODIES_SEED } = process.env;
const bodies = { size: Number(BODIES), seed: BODIES_SEED === undefined ? null : Number(BODIES_SEED) };

/** How many cases of each generated test in `test/model`; `npm run soak` sets them. */
const {
  MODEL = "60",
  ADOPTION = "300",
  CONFIGURATIONS = "100",
  FAULT_RUNS = "50",
  LEDGER = "200",
  ODD_SERVICES = "15",
  MODEL_SEED,
} = process.env;
const { ENGINE_MODEL = "1", ENGINE_CONFIGURATIONS = "7" } = process.env;
const sizes = {
  model: Number(MODEL),
  adoption: Number(ADOPTION),
  configurations: Number(CONFIGURATIONS),
  faultRuns: Number(FAULT_RUNS),
  ledger: Number(LEDGER),
  oddServices: Number(ODD_SERVICES),
  engineModel: Number(ENGINE_MODEL),
  engineConfigurations: Number(ENGINE_CONFIGURATIONS),
  seed: MODEL_SEED === undefined ? null : Number(MODEL_SEED),
};

/** How many websites an import brings in, from each dialect in each form; without it, each dialect has a turn. */
const { IMPORTS, INTERRUPTED_IMPORTS, LARGE_IMPORT, MIGRATION = "9" } = process.env;
const importSize = IMPORTS === undefined ? null : Number(IMPORTS);
/** At how many moments an import of 200 is interrupted; without it, at three of a smaller one. */
const interruptedImports = INTERRUPTED_IMPORTS === undefined ? null : Number(INTERRUPTED_IMPORTS);
/** How many websites the import has that is measured; without it, few, and only what can be counted is held. */
const largeImport = LARGE_IMPORT === undefined ? null : Number(LARGE_IMPORT);

/** How many resources move from one form to the other and back. */
const migration = Number(MIGRATION);

/** Whether the package of an earlier commit is built and upgraded from, which takes the whole history. */
const earlierRelease = process.env.EARLIER_RELEASE === "true";

/** How programs reach the provider in the tests that run in both forms. */
const form = process.env.FORM === "native" ? "native" : "dynamic";

/** What `npm test` would be too long with: programs in other languages, with their tools and packages, and a download. */
const { LANGUAGES } = process.env;
const longer = LANGUAGES === "all" ? [] : ["test/engine/languages/**", "test/engine/plugin-download.test.ts"];

/** Whether each supported line of Node.js is tried, as a job of CI does, or only the one that this runs on. */
const allVersions = process.env.NODE_VERSIONS === "all";

/** What these test is started by a shell, and is not for Windows: CI's script, the tools, terminals. */
const shells = ["test/ci/**", "test/terminal/**", "test/tools/**", "test/workflows/**"];

/** Of the projects that drive the real Pulumi engine with the packed package. */
const withEngine = {
  globalSetup: "test/engine/setup.ts",
  // For what hangs: on a busy machine one command alone may take half a minute.
  testTimeout: 900_000,
  hookTimeout: 900_000,
  // An engine, a program and a provider each want a core of their own, and often wait for each other.
  maxWorkers: 3,
  // So that test files share what is dear to make: a project with its packages.
  isolate: false,
};

/**
 * `unit` needs nothing but Node.js; `engine` drives the real Pulumi engine; `install` does so too, as newcomers do, and
 * takes the package registry: package managers, templates, examples, the documents typed in.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/engine/**", "test/install/**", ...(process.platform === "win32" ? shells : [])],
          // For what hangs: a busy machine takes its time.
          testTimeout: 600_000,
          hookTimeout: 600_000,
          // Many wait for a service most of the time: twice as many keep the processors busy.
          maxWorkers: 2 * availableParallelism(),
          provide: { bodies, sizes },
        },
      },
      {
        test: {
          name: "engine",
          include: ["test/engine/**/*.test.ts"],
          exclude: longer,
          ...withEngine,
          provide: { importSize, interruptedImports, largeImport, sizes, migration, form },
          // After the unit tests, not beside them.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "install",
          include: ["test/install/*.test.ts"],
          ...withEngine,
          provide: { allVersions, earlierRelease, form },
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
