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
  "tools/plugin/archive",
  "tools/schema/schemas",
  "engine/faults-process-death",
  "engine/ledger",
  "engine/identity",
  "engine/native",
  "engine/bench",
  "engine/import",
  "engine/import-declared",
  "install/tracking-in-git",
  "install/guide",
  "install/installation",
  "install/examples",
  "install/walk",
  "install/upgrade",
  "install/versions",
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

/**
 * How many cases the generated tests have: a handful while one works, some in `npm test`, which sets `CASES` to 0, and
 * in CI at night this share of those that the promises name, 1 for all. A failure prints its seed; `SEED` repeats it.
 */
const { CASES, SEED } = process.env;
const cases = (handful: number, some: number, promised: number) =>
  CASES === undefined ? handful : Math.max(some, Math.ceil(Number(CASES) * promised));
const seed = SEED === undefined ? null : Number(SEED);
export const sizes = {
  handful: CASES === undefined,
  /** Milliseconds that a test without an engine may take: for what hangs. A busy machine takes its time; more cases take longer. */
  patience: cases(120_000, 600_000, 0),
  model: cases(1, 60, 2_000),
  ledger: cases(50, 200, 10_000),
  renames: cases(3, 8, 5_000),
  laws: cases(1, 2, 180),
  edits: cases(50, 150, 1_000),
  bodies: cases(100, 2_000, 100_000),
  engineModel: cases(1, 1, 100),
  engineConfigurations: cases(1, 1, 50),
  seed,
};

/** How programs reach the provider in the tests that run in both forms; `npm run test:native` sets it. */
const form = process.env.FORM === "native" ? "native" : "dynamic";

/** The tests that hold for the plugin as for the dynamic form, and programs in other languages. */
const overThePlugin = [
  ...[
    "canary",
    "accept",
    "declare",
    "faults",
    "faults-process-death",
    "front",
    "identity",
    "import",
    "import-declared",
    "keys",
    "ledger",
    "limiters",
  ],
  ...["migration", "native", "plugin-download"],
  ...["automation", "preview", "provider", "recipes", "right-account", "languages/*"],
].map((name) => `test/engine/${name}.test.ts`);

/**
 * What `npm test` would be too long with: programs in other languages, with their tools and packages, a download, and
 * generated stacks in the real engine, of which CI tries many at night.
 */
const longer = [
  ...(form === "native" ? [] : ["test/engine/languages/**", "test/engine/plugin-download.test.ts"]),
  ...(CASES === "0" ? ["test/engine/model.test.ts"] : []),
];

/** Whether each supported line of Node.js is tried, as a job of CI does, or only the one that this runs on. */
const allVersions = process.env.NODE_VERSIONS === "all";

/** What these tests run is started by a shell, and is not for Windows: CI's script, the tools, terminals. */
const shells = process.platform === "win32" ? ["test/tools/**", "test/workflows/**"] : [];

/** What a compiler, a bundler or a browser has its time for: the types' words and examples, the archive, the page. */
const built = ["tools/schema/schemas", "tools/plugin/archive", "cli/list/page", "sdk/examples"].map(
  (name) => `test/${name}.test.ts`,
);

/** Of the projects that need nothing but Node.js. */
const withoutEngine = {
  testTimeout: sizes.patience,
  hookTimeout: sizes.patience,
  expect: { requireAssertions: true },
  // A handful mostly loads modules. More cases mostly wait for a service: twice as many keep the processors busy.
  maxWorkers: availableParallelism() * (sizes.handful ? 1 : 2),
  isolate: false,
  setupFiles: ["test/fresh-modules.ts", "test/seed.ts", "test/standstill.ts"],
  // They would stay for the next file of the process.
  unstubGlobals: true,
  provide: { sizes },
};

/** Of the projects that drive the real Pulumi engine with the packed package. */
const withEngine = {
  globalSetup: "test/engine/setup.ts",
  // For what hangs: on a busy machine one command alone may take half a minute.
  testTimeout: 900_000,
  hookTimeout: 900_000,
  expect: { requireAssertions: true },
  // An engine, a program and a provider each want a core of their own, and often wait for each other.
  maxWorkers: 3,
  // So that test files share what is dear to make: a project with its packages.
  isolate: false,
};

/**
 * `unit` needs nothing but Node.js, and `built` a compiler, a bundler or a browser; `engine` drives the real Pulumi engine;
 * `install` does so as newcomers do, with the package registry: package managers, templates, examples, the documents.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/engine/**", "test/install/**", ...built, ...shells],
          ...withoutEngine,
        },
      },
      { test: { name: "built", include: built, exclude: shells, ...withoutEngine } },
      {
        test: {
          name: "engine",
          include: form === "native" ? overThePlugin : ["test/engine/**/*.test.ts"],
          exclude: longer,
          ...withEngine,
          setupFiles: ["test/seed.ts", "test/engine/commands.ts"],
          provide: { sizes, form },
          // After those without an engine, not beside them.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "install",
          include: ["test/install/*.test.ts"],
          ...withEngine,
          provide: { allVersions, form },
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
