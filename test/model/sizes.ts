import { randomInt } from "node:crypto";
import type { Parameters } from "fast-check";
import { inject } from "vitest";
import { noteFigure } from "../faults/notes";

declare module "vitest" {
  interface ProvidedContext {
    /** How many cases of each generated test, and the seed of an earlier run. */
    sizes: {
      model: number;
      adoption: number;
      configurations: number;
      faultRuns: number;
      ownership: number;
      oddServices: number;
      /** These through the real engine. */
      engineModel: number;
      engineConfigurations: number;
      seed: number | null;
      /** Whether the first failure is enough, and not to be made smaller. */
      endOnFailure?: boolean;
    };
  }
}

type Part = Exclude<keyof ReturnType<typeof sizes>, "seed" | "endOnFailure">;

function sizes() {
  return inject("sizes");
}

/** The parameters of one generated test. The seed is printed by fast-check where it fails, and noted where not. */
export async function parametersOf(
  part: Part,
): Promise<Parameters<unknown> & { numRuns: number; seed: number }> {
  const seed = sizes().seed ?? randomInt(2 ** 31);
  const numRuns = sizes()[part];
  await noteFigure(part, { cases: numRuns, seed });
  return { numRuns, seed, endOnFailure: sizes().endOnFailure ?? false };
}
