import { TestRunner } from "vitest";
import type { Row } from "./fault";

/** The outcome of one fault. */
export interface Note {
  readonly row: Pick<Row, "id" | "title" | "verb">;
  readonly kind: string;
  readonly records: number;
  readonly kept: number;
  readonly messages: readonly string[];
  /** Set if the real engine ran, and not the imitation of it. */
  readonly isReal?: true;
}

declare module "vitest" {
  interface TaskMeta {
    fault?: Omit<Note, "row"> & Note["row"];
    figure?: Record<string, string | number>;
  }
}

/** Puts the outcome into vitest's report, of which `npm run soak` writes `docs/reliability.md`. */
export async function note({ row: { id, title, verb }, ...rest }: Note): Promise<void> {
  const test = TestRunner.getCurrentTest();
  if (test !== undefined) test.meta.fault = { id, title, verb, ...rest };
}

/** Puts a figure into the report, such as the number of generated cases. */
export async function noteFigure(part: string, figure: Record<string, string | number>): Promise<void> {
  const test = TestRunner.getCurrentTest();
  if (test !== undefined) test.meta.figure = { part, ...figure };
}
