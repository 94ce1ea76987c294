import { firstOf, groupsBy } from "../alike";
import type { ImportEntry } from "../pulumi/json-output";
import type { WrittenRecord } from "./written-record";

/** What becomes of one record, or of one declared resource that has none. Without an entry or a name, nothing is imported. */
export interface Row {
  /** Rows of one kind are alike. */
  readonly kind: string;
  readonly text: string;
  /** The next `up` fails on it, or this import was to take it and can't. */
  readonly isOpen?: boolean;
  /** It says only what is as it should be. */
  readonly isUsual?: boolean;
  /** It is imported under the name that the program declares. */
  readonly entry?: ImportEntry;
  /** It is imported under a new name, and the program for it is written. */
  readonly written?: WrittenRecord;
}

/** Prints a plan, of each kind the first ten rows, unless all are wanted. */
export function printRows(rows: readonly Row[], isVerbose: boolean, print: (line: string) => void): void {
  for (const group of groupsBy(rows, ({ kind, isUsual }) => (isUsual && !isVerbose ? undefined : kind))) {
    const texts = group.map(({ text }) => text);
    const more = (others: number) => `… and ${others} more of this kind; --verbose shows all.`;
    for (const line of isVerbose ? texts : firstOf(texts, more)) print(line);
  }
}
