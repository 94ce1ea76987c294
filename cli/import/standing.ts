import { CommandFailure } from "../failure";
import type { ImportArguments } from "../import";
import type { Interrupted } from "../interruption";
import type { Screen } from "../progress";
import type { Entry } from "../pulumi/answers";
import type { Stack } from "../pulumi/stack";
import { nameOf } from "../pulumi/urn";
import { word } from "../word";

/** How far an import is, so that one that ends early can say where things stand and what goes on from there. */
export class Standing {
  private undo: (() => void) | undefined;
  private file: string | undefined;
  private entries: readonly Entry[] = [];
  private started = false;
  private running = false;

  constructor(
    private readonly stack: Stack,
    private readonly typed: ImportArguments,
    private readonly screen: Screen,
  ) {}

  /** A file of the program declares what is about to be imported. */
  wrote(file: string, undo: () => void): void {
    this.file = file;
    this.undo = undo;
  }

  /** From now on the stack may hold these. */
  imports(entries: readonly Entry[]): void {
    this.entries = entries.filter(({ id }) => id !== undefined);
    this.started = true;
    this.running = true;
  }

  /** The engine has ended by itself. */
  imported(): void {
    this.running = false;
  }

  /** The user, or the system, does not want the rest. */
  async interrupted({ killed }: Interrupted): Promise<void> {
    const cancel = killed && this.running ? "pulumi cancel --yes; " : "";
    const standing = await this.sentences();
    this.screen.tell(`Interrupted. ${standing} To go on, run: ${cancel}${commandOf(this.typed)}`);
  }

  /** The engine did not take all of it. */
  async failure(error: CommandFailure): Promise<CommandFailure> {
    return new CommandFailure(error.message.replace(/[.\s]+$/, ""), await this.sentences());
  }

  /** What is done by now; a program that declares nothing of what the stack holds is taken back. */
  private async sentences(): Promise<string> {
    const count = await this.count();
    if (count === 0) {
      this.undo?.();
      return this.file === undefined
        ? "Nothing was imported."
        : "Nothing was imported, and no file was changed.";
    }
    const there = this.file === undefined ? "" : ` ${this.file} declares them all.`;
    return count === undefined
      ? `It is not known how many of ${this.entries.length} are in the stack; what is, is protected.${there}`
      : `${count} of ${this.entries.length} are in the stack, protected.${there}`;
  }

  /** How many of the records the stack holds; nothing where that can't be known. */
  private async count(): Promise<number | undefined> {
    if (!this.started) return 0;
    const names = ({ type, id }: { type: string; id?: string }, name: string) => `${type} ${name} ${id}`;
    try {
      const held = await this.stack.resources({ evenInterrupted: true });
      const there = new Set(held.map((each) => names(each, nameOf(each.urn))));
      return this.entries.filter((each) => there.has(names(each, each.logicalName ?? each.name))).length;
    } catch (error) {
      if (error instanceof CommandFailure) return undefined;
      throw error;
    }
  }
}

/** The command as a person types it. */
export function commandOf(typed: ImportArguments): string {
  const flag = (name: string, value: string | undefined) => (value === undefined ? [] : [name, word(value)]);
  return [
    "npx pulumi-tracking import",
    ...(typed.declared ? ["--declared"] : []),
    ...flag("--out", typed.out),
    ...flag("--format", typed.format),
    ...flag("--only", typed.only),
    ...(typed.match ?? []).flatMap((each) => flag("--match", each)),
    ...(typed.exclude ?? []).flatMap((each) => flag("--exclude", each)),
    ...flag("--from", typed.from),
    ...flag("--stack", typed.stack),
    ...flag("--file", typed.file),
    ...(typed.apply ? ["--apply"] : []),
    ...(typed.force ? ["--force"] : []),
  ].join(" ");
}
