/** The names that have a meaning in a file of declarations. */
export type KnownNames = Pick<ReadonlySet<string>, "has">;

/** Another way to write one line. */
export interface Rewrite {
  readonly becomes: string;
  /** Where to point, from 0. */
  readonly column: number;
  /** What is wrong and what to write, without any value of the file: it may be a secret. */
  readonly text: string;
  /** Told only where nothing else is said of the same place. */
  readonly mild?: boolean;
}

/** One way to repair one line of a file whose shape is in doubt. */
export interface Repair extends Rewrite {
  readonly line: number;
}

/** All that may be wrong with a line by itself. */
export type Rule = (line: string, names: KnownNames) => readonly Rewrite[];

/** Whether a line says nothing. */
export function isBlank(line: string): boolean {
  return /^\s*(#.*)?$/.test(line);
}
