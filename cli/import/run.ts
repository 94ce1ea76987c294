import type { Stack } from "../pulumi/stack";

/** The formats in which records are written: programs for Node.js, and files for `declareFrom`. */
export const formats = ["ts", "js", "yaml"] as const;
export type Format = (typeof formats)[number];

export interface ImportOptions {
  declared?: boolean;
  out?: string;
  format?: Format;
  /** Such as `websites`. */
  only?: string;
  match?: string[];
  exclude?: string[];
  stack?: string;
  file?: string;
  apply?: boolean;
  verbose?: boolean;
}

export interface ImportRun {
  readonly stack: Stack;
  readonly options: ImportOptions;
  /** The folder that it runs in. */
  readonly folder: string;
  /** The command as it was typed, for a shell. */
  readonly command: string;
  print(line: string): void;
}
