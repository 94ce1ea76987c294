import { randomInt } from "node:crypto";
import type { Parameters } from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** How many cases of each generated test, and the seed of an earlier run. */
    sizes: {
      /** Whether each test has a handful of cases, while one works on something. */
      handful: boolean;
      model: number;
      configurations: number;
      ledger: number;
      oddServices: number;
      laws: number;
      /** The same through the real engine. */
      engineModel: number;
      engineConfigurations: number;
      seed: number | null;
      /** Whether to stop at the first failure instead of shrinking it. */
      endOnFailure?: boolean;
    };
  }
}

type Part = Exclude<keyof ReturnType<typeof sizes>, "handful" | "seed" | "endOnFailure">;

/** How many of these cases are tried: a tenth while one works. */
export const some = (count: number) => (sizes().handful ? Math.ceil(count / 10) : count);

function sizes() {
  return inject("sizes");
}

/**
 * The parameters of one generated test. fast-check prints the seed of a failure.
 *
 * @param usual the seed if none is given; by default a new one each time
 */
export function parametersOf(
  part: Part,
  usual = randomInt(2 ** 31),
): Parameters<unknown> & { numRuns: number; seed: number } {
  const seed = sizes().seed ?? usual;
  const numRuns = sizes()[part];
  return { numRuns, seed, endOnFailure: sizes().endOnFailure ?? false };
}
