import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** How many cases of each generated test, and the seed of an earlier run. */
    sizes: {
      /** Whether each test has a handful of cases, while one works on something. */
      handful: boolean;
      /** Milliseconds that a test without an engine may take. */
      patience: number;
      model: number;
      /** What a service may answer to a look-up. */
      bodies: number;
      ledger: number;
      renames: number;
      laws: number;
      /** Files of declarations, and what someone changed of what they declare. */
      edits: number;
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

/** The parameters of one generated test. */
export function parametersOf(part: Part): { numRuns: number; endOnFailure: boolean } {
  return { numRuns: sizes()[part], endOnFailure: sizes().endOnFailure ?? false };
}
