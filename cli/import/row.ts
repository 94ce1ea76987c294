import { firstOf, groupsBy } from "../alike";
import type { ImportEntry } from "../pulumi/json-output";
import type { ImportRun } from "./run";
import type { WrittenRecord } from "./written-record";

/**
 * One line of an import's plan: what becomes of a record, or of a declared resource that has none. With neither `entry` nor
 * `written`, nothing is imported.
 */
export interface PlanRow {
  /** Such as `twin`: rows of one kind are printed together, and only the first ten. */
  readonly kind: string;
  readonly text: string;
  /** A person has to act: the next `up` fails on it, or this import was to take it and can't. */
  readonly isOpen?: boolean;
  /** Nothing is wrong: the stack has the record, or it is not selected. */
  readonly isUsual?: boolean;
  /** It is imported under the name that the program declares. */
  readonly entry?: ImportEntry;
  /** A new file declares it, under a new name. */
  readonly written?: WrittenRecord;
}

/** Prints a plan: of each kind the first ten rows, with `--verbose` all. */
export function printRows(rows: readonly PlanRow[], { options: { verbose }, print }: ImportRun): void {
  for (const group of groupsBy(rows, ({ kind, isUsual }) => (isUsual && !verbose ? undefined : kind))) {
    const texts = group.map(({ text }) => text);
    const more = (omitted: number) => `… and ${omitted} more of this kind; --verbose shows all.`;
    for (const line of verbose ? texts : firstOf(texts, more)) print(line);
  }
}
