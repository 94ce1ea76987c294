import type { Values } from "../../../provider/schema/resource";
import type { Line } from "./program";

/** A resource as the engine keeps it between runs. */
export interface Entry {
  readonly slot: number;
  readonly version: number;
  readonly provider: number;
  readonly id: string;
  readonly inputs: Values;
  readonly outputs: Values;
  readonly retained: boolean;
  /** It was replaced, and is to be deleted. */
  readonly replaced: boolean;
  /** Its record was deleted first, and the one in its place is not made yet: the engine deletes nothing more. */
  readonly pending: boolean;
  /** It was left half-done, so that the next run updates it. */
  readonly unfinished: boolean;
}

/** The engine's state, which a killed engine writes no more. */
export class State {
  entries: readonly Entry[] = [];
  /** Cuts off all that is written from then on. */
  private cut = false;

  add(entry: Entry): void {
    if (!this.cut) this.entries = [...this.entries, entry];
  }

  change(old: Entry, now: Entry): void {
    if (!this.cut) this.entries = this.entries.map((entry) => (entry === old ? now : entry));
  }

  drop(old: Entry): void {
    if (!this.cut) this.entries = this.entries.filter((entry) => entry !== old);
  }

  /** The resource that a line of the program is, by its name or an alias. */
  of({ slot, version, alias }: Line, all: readonly Line[]): Entry | undefined {
    const there = this.entries.filter((entry) => entry.slot === slot && !entry.replaced);
    const same = there.find((entry) => entry.version === version);
    if (same !== undefined || !alias) return same;
    return there.find((entry) => !all.some((line) => line.slot === slot && line.version === entry.version));
  }

  stop(): void {
    this.cut = true;
  }

  begin(): void {
    this.cut = false;
  }
}
