import { fingerprintAnywhere, type RecordScope, recordFingerprint } from "../schema/fingerprint";
import type { Resource, Values } from "../schema/resource";
import { DeclaredClaims } from "./declared-claims";
import type { Ownership, Standing } from "./ownership";

/**
 * A silence of so many milliseconds means that what is waited for does not come. Nothing else tells: the engine is
 * silent where all its workers wait here, and checks nothing more before one is free; and after a resource has failed
 * it may end, or go on as with `--continue-on-error`. No longer, since an interrupted run has few seconds.
 */
const SILENCE = 4000;
/** A request of another process is waited for during so many silences: who is killed does not tell that it has ended. */
const SILENCES = 15;

/** What the run's ownership says of the records of one resource type in one account. */
export class Claims extends DeclaredClaims {
  constructor(
    ownership: Ownership,
    resource: Resource,
    account: RecordScope,
    private readonly isDestroy: () => boolean,
  ) {
    super(ownership, resource, account);
  }

  /** How a record that has this resource's key stands to it. */
  standing(id: string, values: Values): Standing {
    this.ownership.catchUp();
    return this.ownership.standing(this.record(id), this.keyOf(values));
  }

  /**
   * A resource that is there is, and will be, the record with this id; or it is replaced. So is one whose record
   * another took before this one was checked: then each has its own. Gives which.
   */
  compared(id: string, news: Values, replaced: boolean): "held" | "leaving" {
    const key = this.key(news) ?? "";
    const declared = this.ownership.program.declaration(key);
    const isLost = () => this.other(id, news) !== undefined;
    const is = replaced || isLost() ? "leaving" : "held";
    // Refresh compares before the program has declared anything.
    if (declared?.checked) this.ownership.tell({ is, id: this.record(id), key });
    // Another process may have taken it just before that was told.
    return isLost() ? "leaving" : is;
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

  /**
   * Resolves when every resource that waits for no other is checked, so that it is known who holds what; to false
   * where that will not be known, since the engine stops.
   */
  async settled(): Promise<boolean> {
    this.ownership.catchUp();
    if (await this.until(() => this.ownership.progress.isSettled())) return true;
    if (this.ownership.progress.anyRefused) return false;
    // The engine may be unable to check more before those who wait are done; then nobody waits again.
    this.ownership.tell({ is: "hurry" });
    return true;
  }

  /** Whether it is known what becomes of the key of a record that is to be deleted. */
  isDecided(olds: Values): boolean {
    this.ownership.catchUp();
    return this.ownership.program.declaration(this.keyOf(olds))?.checked !== false;
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
    return this.claim("made", id, values);
  }

  /** The resource that has a record in the place of the one with these values. */
  other(id: string, values: Values): { readonly name: string | undefined } | undefined {
    this.ownership.catchUp();
    return this.ownership.other(this.record(id), this.keyOf(values));
  }

  /** A record has the key now that it should have, or could not get it: either way it is its resource's still. */
  updated(id: string): void {
    this.ownership.tell({ is: "renamed", id: this.record(id) });
  }

  /** Begins to delete a record, unless it has to stay: then for whom. */
  leave(id: string, olds: Values): { readonly name: string | undefined } | undefined {
    this.ownership.catchUp();
    const [record, key] = [this.record(id), this.keyOf(olds)];
    const keeper = this.ownership.keeper(
      { id: record, key, anywhere: this.anywhere(id, olds) },
      this.isDestroy,
    );
    if (keeper !== undefined) {
      this.ownership.tell({ is: "left", id: record });
      return keeper;
    }
    this.ownership.tell({ is: "deleting", id: record, key });
    return this.ownership.isDeleting(record) ? undefined : { name: this.ownership.ownerOf(record) };
  }

  /** What became of a delete. */
  left(id: string, done: boolean): void {
    this.ownership.tell({ is: done ? "gone" : "stays", id: this.record(id) });
  }

  private claim(is: "taken" | "made", id: string, values: Values): boolean {
    const [record, key] = [this.record(id), this.keyOf(values)];
    this.ownership.tell({ is, id: record, key, anywhere: this.anywhere(id, values) });
    return this.ownership.has(record, key);
  }

  private async until(done: () => boolean): Promise<boolean> {
    for (let silences = 0; !done(); ) {
      silences = (await this.ownership.journal.changed(SILENCE)) ? 0 : silences + 1;
      this.ownership.catchUp();
      const isAsking = silences < SILENCES && this.ownership.progress.isAsking();
      if (silences > 0 && !isAsking) return done();
    }
    return true;
  }

  private record(id: string): string {
    return recordFingerprint(this.account, this.resource, id);
  }

  private anywhere(id: string, values: Values): string {
    return fingerprintAnywhere(this.resource, id, values[this.resource.key]);
  }
}
