import { CommandFailure } from "../failure";
import type { Interrupted } from "../interruption";
import type { ImportEntry } from "../pulumi/json-output";
import type { Stack } from "../pulumi/stack";
import { nameOf } from "../pulumi/urn";
import type { Terminal } from "../terminal";
import { commandLine, type ImportOptions } from "./options";

/** One run of the command, and how far it is: if it ends early, it reports the result so far and how to continue. */
export class ImportRun {
  private undo: (() => void) | undefined;
  private file: string | undefined;
  private entries: readonly ImportEntry[] = [];
  private started = false;
  private running = false;

  constructor(
    readonly stack: Stack,
    readonly options: ImportOptions,
    readonly terminal: Terminal,
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

  /** Reports an import that the user, or the system, stopped. */
  async interrupted({ killed }: Interrupted): Promise<void> {
    const cancel = killed && this.running ? "pulumi cancel --yes; " : "";
    const result = await this.summary();
    this.terminal.print(`Interrupted. ${result}. To continue, run: ${cancel}${commandLine(this.options)}`);
  }

  /** The failure of an import that the engine did not finish. */
  async failure({ problem, remedy }: CommandFailure): Promise<CommandFailure> {
    return new CommandFailure(`${problem}. ${remedy}`, await this.summary());
  }

  /** The result so far, without a full stop; if nothing was imported, the program's file is restored. */
  private async summary(): Promise<string> {
    const count = await this.countImported();
    if (count === 0) {
      this.undo?.();
      return this.file === undefined
        ? "Nothing was imported"
        : "Nothing was imported, and no file was changed";
    }
    const total = this.entries.length;
    const declared = this.file === undefined ? "" : `. ${this.file} declares them all`;
    return count === undefined
      ? `An unknown number of the ${total} records is in the stack, protected${declared}`
      : `${count} of ${total} are in the stack, protected${declared}`;
  }

  /** How many of the records the stack holds; nothing where that can't be known. */
  private async countImported(): Promise<number | undefined> {
    if (!this.started) return 0;
    const identity = ({ type, id }: { type: string; id?: string }, name: string) => `${type} ${name} ${id}`;
    try {
      const held = await this.stack.resources({ ignoreInterruption: true });
      const known = new Set(held.map((each) => identity(each, nameOf(each.urn))));
      return this.entries.filter((each) => known.has(identity(each, each.logicalName ?? each.name))).length;
    } catch (error) {
      if (error instanceof CommandFailure) return undefined;
      throw error;
    }
  }
}
