import { defineConfig } from "vitest/config";

/** `unit` needs nothing but Node.js; `engine` drives the real Pulumi engine with the packed package. */
export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["test/**/*.test.ts"], exclude: ["test/engine/**"] } },
      {
        test: {
          name: "engine",
          include: ["test/engine/**/*.test.ts"],
          globalSetup: "test/engine/setup.ts",
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // An engine, a program and a provider each want a core of their own.
          maxWorkers: 2,
        },
      },
    ],
  },
});
