import type { Stack } from "../pulumi/stack";
import type { Terminal } from "../terminal";

/** The formats in which records are written: programs for Node.js, and files for `declareFrom`. */
export const formats = ["ts", "js", "yaml"] as const;
export type Format = (typeof formats)[number];

export interface ImportOptions {
  declared?: boolean;
  newIds?: boolean;
  out?: string;
  format?: Format;
  /** Such as `websites`. */
  only?: string;
  match?: string[];
  exclude?: string[];
  from?: string;
  stack?: string;
  file?: string;
  apply?: boolean;
}

export interface ImportRun {
  readonly stack: Stack;
  readonly options: ImportOptions;
  /** The folder that it runs in. */
  readonly folder: string;
  readonly terminal: Terminal;
}
