import { type Account, keyIdentity, recordIdentity } from "../schema/identity";
import { isUnknown, type Resource, type Values } from "../schema/resource";
import { fieldOf } from "../schema/wire";
import type { Move } from "./journal";
import type { Ownership, Standing } from "./ownership";
import { called } from "./problem";

/**
 * A silence of so many milliseconds means that what is waited for does not come: the engine has stopped, or waits
 * itself for those who wait. No longer, since an interrupted run has few seconds.
 */
const SILENCE = 4000;

/** What a program says of a resource beside its arguments. */
export interface Options {
  /** The record stays when the resource goes. */
  readonly retained: boolean;
  /** A replacement is made after the old record was deleted. */
  readonly deleteBeforeReplace: boolean;
  /** The resource's name in the program. */
  readonly name: string | undefined;
  /** Tells this declaration from all others of the run. */
  readonly token: string | undefined;
}

/** What the run's ownership says of the records of one resource type in one account. */
export class Claims {
  constructor(
    private readonly ownership: Ownership,
    private readonly resource: Resource,
    private readonly account: Account,
    private readonly isDestroy: () => boolean,
  ) {}

  /** The program declares this, whether or not the engine asks for it. */
  declared(values: Values, token: string, name: string, plain: boolean): void {
    const key = this.key(values);
    if (key !== undefined) this.ownership.tell({ is: "declared", key, token, name, plain });
  }

  /** The engine is done with what was declared. */
  ended(token: string): void {
    this.ownership.tell({ is: "ended", token });
  }

  /** A declared resource is checked; `olds` is empty for a new record. Why it can't be, where it can't. */
  check(olds: Values, news: Values, { token, name, ...options }: Options): string | undefined {
    const key = this.key(news);
    if (key === undefined) return undefined;
    const before = this.key(olds);
    const from = before === key ? undefined : before;
    const move = from === undefined ? undefined : this.moveOf(options);
    const own = token ?? key;
    const { ownership } = this;
    ownership.tell({ is: "checked", key, token: own, name, fresh: before === undefined, from, move });
    const owner = ownership.declaration(key);
    const other = owner?.token === own ? ownership.rival(key) : owner;
    if (other !== undefined)
      return `is declared twice in this program${both(other.name, name)}; two resources can't share one record`;
    const wants = from !== undefined && move === "deleted-after" ? ownership.wants(from) : undefined;
    if (wants === undefined) return undefined;
    return `moves away from a record that ${called(wants.name)} would adopt, and that is deleted only afterwards; set deleteBeforeReplace: true here, or adopt: false there`;
  }

  /** Nobody can say before the whole program is checked whether a resource takes over a record. */
  wants(values: Values): void {
    const key = this.key(values);
    if (key !== undefined) this.ownership.tell({ is: "wanted", key });
  }

  /** How a record that has this resource's key stands to it. */
  standing(id: string, values: Values): Standing {
    this.ownership.catchUp();
    return this.ownership.standing(this.record(id), this.keyOf(values));
  }

  /**
   * A resource that is there is, and will be, the record with this id; or it is replaced. So is one whose record
   * another took before it was known that this one renames it: then each has its own. Gives which.
   */
  compared(id: string, news: Values, replaced: boolean): "held" | "leaving" {
    const key = this.key(news) ?? "";
    const declared = this.ownership.declaration(key);
    const isLost = declared?.move === "renamed" && this.other(id, news) !== undefined;
    const is = replaced || isLost ? "leaving" : "held";
    // Refresh compares before the program has declared anything.
    if (declared?.checked) this.ownership.tell({ is, id: this.record(id), key });
    return is;
  }

  /** Begins to make a record; false where another does so already. */
  begin(values: Values): boolean {
    const key = this.keyOf(values);
    this.ownership.catchUp();
    if (this.ownership.creator(key) !== undefined) return false;
    this.ownership.tell({ is: "creating", key });
    return this.ownership.creator(key) === this.ownership.journal.writer;
  }

  /** It could not be made. */
  failed(values: Values): void {
    this.ownership.tell({ is: "failed", key: this.keyOf(values) });
  }

  /** A resource is refused by its check, or could not be made or changed: the engine stops. */
  refused(): void {
    this.ownership.tell({ is: "refused" });
  }

  /**
   * Resolves when every resource that waits for no other is checked, so that it is known who holds what; to false
   * where that will not be known, since the engine stops.
   */
  async settled(): Promise<boolean> {
    this.ownership.catchUp();
    if (await this.until(() => this.ownership.isSettled())) return true;
    if (this.ownership.anyRefused) return false;
    // The engine may be unable to check more before those who wait are done; then nobody waits again.
    this.ownership.tell({ is: "hurry" });
    return true;
  }

  /** Resolves when a record that is moving has moved; to false where it does not. */
  vacated(id: string, values: Values): Promise<boolean> {
    return this.until(() => this.standing(id, values).is !== "moving");
  }

  /** Takes a record over; false where another has it. */
  take(id: string, values: Values): boolean {
    return this.claim("taken", id, values);
  }

  /** A record was made; false where another has it. */
  made(id: string, values: Values): boolean {
    this.ownership.catchUp();
    if (this.other(id, values) !== undefined) return false;
    return this.claim("made", id, values);
  }

  /** The resource that has a record in the place of the one with these values. */
  other(id: string, values: Values): { readonly name: string | undefined } | undefined {
    this.ownership.catchUp();
    return this.ownership.other(this.record(id), this.keyOf(values));
  }

  /** Whether a resource of this program declares the key of a record, to the letter. */
  declares(values: Values): boolean {
    const key = this.key(values);
    return key !== undefined && this.ownership.declaration(key) !== undefined;
  }

  /** A record has the key now that it should have, or could not get it. */
  updated(id: string, done: boolean): void {
    this.ownership.tell({ is: done ? "renamed" : "stays", id: this.record(id) });
  }

  /** Begins to delete a record, unless it has to stay: then for whom. */
  leave(id: string, olds: Values): { readonly name: string | undefined } | undefined {
    this.ownership.catchUp();
    const [record, key] = [this.record(id), this.keyOf(olds)];
    const keeper = this.ownership.keeper(record, key, this.isDestroy);
    if (keeper !== undefined) return keeper;
    this.ownership.tell({ is: "deleting", id: record, key });
    return this.ownership.isDeleting(record) ? undefined : (this.other(id, olds) ?? { name: undefined });
  }

  /** What became of a delete. */
  left(id: string, done: boolean): void {
    this.ownership.tell({ is: done ? "gone" : "stays", id: this.record(id) });
  }

  private claim(is: "taken" | "made", id: string, values: Values): boolean {
    const [record, key] = [this.record(id), this.keyOf(values)];
    this.ownership.tell({ is, id: record, key });
    return this.ownership.has(record, key);
  }

  private async until(done: () => boolean): Promise<boolean> {
    while (!done()) {
      if (!(await this.ownership.journal.changed(SILENCE))) return done();
      this.ownership.catchUp();
    }
    return true;
  }

  private moveOf({ retained, deleteBeforeReplace }: Pick<Options, "retained" | "deleteBeforeReplace">): Move {
    if (!fieldOf(this.resource, this.resource.key).replaces) return "renamed";
    if (retained) return "left";
    return deleteBeforeReplace ? "deleted-first" : "deleted-after";
  }

  private record(id: string): string {
    return recordIdentity(this.account, this.resource, id);
  }

  private keyOf(values: Values): string {
    return keyIdentity(this.account, this.resource, values[this.resource.key]);
  }

  private key(values: Values): string | undefined {
    const value = values[this.resource.key];
    return typeof value === "string" && !isUnknown(value) ? this.keyOf(values) : undefined;
  }
}

function both(one: string | undefined, other: string | undefined): string {
  return one === undefined || other === undefined ? "" : `, by "${one}" and "${other}"`;
}
