import { CommandFailure } from "../failure";
import type { Interrupted } from "../interruption";
import type { ImportEntry } from "../pulumi/json-output";
import type { Stack } from "../pulumi/stack";
import { nameOf } from "../pulumi/urn";
import { shellQuote } from "../shell-quote";
import type { Terminal } from "../terminal";
import type { ImportOptions } from "./command";

/** How far an import is, so that one that ends early can say where things stand and what goes on from there. */
export class ImportStatus {
  private undo: (() => void) | undefined;
  private file: string | undefined;
  private entries: readonly ImportEntry[] = [];
  private started = false;
  private running = false;

  constructor(
    private readonly stack: Stack,
    private readonly options: ImportOptions,
    private readonly terminal: Terminal,
  ) {}

  /** A file of the program declares what is about to be imported. */
  programWritten(file: string, undo: () => void): void {
    this.file = file;
    this.undo = undo;
  }

  /** From now on the stack may hold these. */
  importStarted(entries: readonly ImportEntry[]): void {
    this.entries = entries.filter(({ id }) => id !== undefined);
    this.started = true;
    this.running = true;
  }

  /** The engine has ended by itself. */
  importEnded(): void {
    this.running = false;
  }

  /** The user, or the system, does not want the rest. */
  async interrupted({ killed }: Interrupted): Promise<void> {
    const cancel = killed && this.running ? "pulumi cancel --yes; " : "";
    const status = await this.summary();
    this.terminal.print(`Interrupted. ${status} To go on, run: ${cancel}${commandLine(this.options)}`);
  }

  /** The engine did not take all of it. */
  async failure(error: CommandFailure): Promise<CommandFailure> {
    return new CommandFailure(error.message.replace(/[.\s]+$/, ""), await this.summary());
  }

  /** What is done by now; a program that declares nothing of what the stack holds is taken back. */
  private async summary(): Promise<string> {
    const countImported = await this.count();
    if (countImported === 0) {
      this.undo?.();
      return this.file === undefined
        ? "Nothing was imported."
        : "Nothing was imported, and no file was changed.";
    }
    const there = this.file === undefined ? "" : ` ${this.file} declares them all.`;
    return countImported === undefined
      ? `It is not known how many of ${this.entries.length} are in the stack; what is, is protected.${there}`
      : `${countImported} of ${this.entries.length} are in the stack, protected.${there}`;
  }

  /** How many of the records the stack holds; nothing where that can't be known. */
  private async count(): Promise<number | undefined> {
    if (!this.started) return 0;
    const names = ({ type, id }: { type: string; id?: string }, name: string) => `${type} ${name} ${id}`;
    try {
      const held = await this.stack.resources({ ignoreInterruption: true });
      const there = new Set(held.map((each) => names(each, nameOf(each.urn))));
      return this.entries.filter((each) => there.has(names(each, each.logicalName ?? each.name))).length;
    } catch (error) {
      if (error instanceof CommandFailure) return undefined;
      throw error;
    }
  }
}

/** The command as a person types it. */
export function commandLine(options: ImportOptions): string {
  const flag = (name: string, value: string | undefined) =>
    value === undefined ? [] : [name, shellQuote(value)];
  return [
    "npx pulumi-tracking import",
    ...(options.declared ? ["--declared"] : []),
    ...flag("--out", options.out),
    ...flag("--format", options.format),
    ...flag("--only", options.only),
    ...(options.match ?? []).flatMap((each) => flag("--match", each)),
    ...(options.exclude ?? []).flatMap((each) => flag("--exclude", each)),
    ...flag("--from", options.from),
    ...flag("--stack", options.stack),
    ...flag("--file", options.file),
    ...(options.apply ? ["--apply"] : []),
    ...(options.force ? ["--force"] : []),
  ].join(" ");
}
