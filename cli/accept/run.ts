import type { Stack } from "../pulumi/stack";

export interface AcceptOptions {
  readonly only?: string;
  readonly match?: string[];
  readonly exclude?: string[];
  readonly stack?: string;
  /** The file for records that nothing declares. */
  readonly new?: string;
  readonly deleted?: boolean;
  readonly apply?: boolean;
}

/** One run of the command. */
export interface AcceptRun {
  readonly stack: Stack;
  readonly options: AcceptOptions;
  readonly folder: string;
  /** Prints what the command is asked for. */
  print(text: string): void;
  /** Says what it does. */
  notify(text: string): void;
}
