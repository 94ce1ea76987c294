// npm run mutation -- --mutate provider/api/retry.ts: small changes to the files of policy and of the hosts, each against the
// tests that reach it. Without --mutate, all of these files, half an hour; a later run tries only what changed. Of other
// files' changes it knows nothing: --force tries all again.

/** @type {import("@stryker-mutator/api/core").PartialStrykerOptions} */
export default {
  packageManager: "npm",
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "tools/stryker.vitest.config.mts", related: false },
  mutate: [
    "provider/api/{retry,rate-limiter,concurrency,pace,circuit-breaker}.ts",
    "provider/records/recheck.ts",
    "provider/lifecycle/{create,write,ledger}.ts",
    "provider/schema/{compare,codec}.ts",
    "provider/{session,hosts/**/*}.ts",
    "!provider/hosts/native/main.ts",
  ],
  ignorePatterns: ["bench", "dist", "docs", "examples", "test/engine/*.ts", "test/install", "*.tgz"],
  coverageAnalysis: "perTest",
  incremental: true,
  incrementalFile: "reports/mutation.json",
  // On a busy machine, tests that talk to a server are slow, not stuck.
  timeoutMS: 20_000,
  tempDirName: ".stryker-tmp",
  reporters: ["progress-append-only", "clear-text"],
  clearTextReporter: { allowColor: false, reportTests: false },
};
