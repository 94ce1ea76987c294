import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Row } from "./fault";

/** The outcome of one fault. */
export interface Note {
  readonly row: Pick<Row, "id" | "title" | "verb">;
  readonly kind: string;
  readonly records: number;
  readonly kept: number;
  readonly messages: readonly string[];
  /** Set where the real engine ran, and not the imitation of it. */
  readonly isReal?: true;
}

/** The folder for the notes of `npm run soak`; without it, nothing is written. */
const { NOTES } = process.env;

/** Writes the outcome for `docs/reliability.md`. */
export async function note({ row: { id, title, verb }, kind, ...rest }: Note): Promise<void> {
  if (NOTES === undefined) return;
  await mkdir(NOTES, { recursive: true });
  await writeFile(
    join(NOTES, `fault-${id}-${kind}.json`),
    JSON.stringify({ id, title, verb, kind, ...rest }),
  );
}

/** Writes a figure for it. */
export async function noteFigure(name: string, figure: Record<string, string | number>): Promise<void> {
  if (NOTES === undefined) return;
  await mkdir(NOTES, { recursive: true });
  await writeFile(join(NOTES, `figure-${name}.json`), JSON.stringify({ name, ...figure }));
}
