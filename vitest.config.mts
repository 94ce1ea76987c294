import { defineConfig } from "vitest/config";

/** How many generated answers the decoders are tried on, for each service; `npm run soak` sets both. */
const { BODIES = "3000", BODIES_SEED } = process.env;
const bodies = { size: Number(BODIES), seed: BODIES_SEED === undefined ? null : Number(BODIES_SEED) };

/** `unit` needs nothing but Node.js; `engine` drives the real Pulumi engine with the packed package. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/engine/**"],
          provide: { bodies },
        },
      },
      {
        test: {
          name: "engine",
          include: ["test/engine/**/*.test.ts"],
          globalSetup: "test/engine/setup.ts",
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // An engine, a program and a provider each want a core of their own.
          maxWorkers: 2,
          // After the unit tests, not beside them.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
