import { linesOf } from "../api/api";
import { type SettingsRead, SharedSettings } from "./shared-settings";

/**
 * What happens to a resource of the program, named by its URN, and to a record. Keys and records are fingerprints: no entry
 * holds a secret.
 */
export type Entry =
  | Declaration
  | Comparison
  | Adoption
  | Deletion
  /** It has made a record. */
  | { event: "made"; urn: string; record: string }
  /** It was refused, or its create failed. */
  | { event: "failed"; urn: string }
  | SettingsRead;
/**
 * Its provider, which has the key of this account, has checked it. It `isNew` if it has no record yet, or gets a new one. `oldKey`
 * is the one in state, if it changes that in place.
 */
type Declaration = {
  event: "declared";
  urn: string;
  account: string;
  key: string;
  isNew: boolean;
  oldKey?: string;
};
/** It was compared with its record in state, and keeps or leaves it. */
type Comparison = { event: "kept" | "left"; urn: string; record: string };
/** It has announced that it will adopt a record with this key, or adopts it. */
type Adoption = { event: "claimed" | "adopted"; urn: string; record: string; key: string };
/** A provider asks to delete a record, which begins unless there is a conflict. `key` is the one in state. */
type Deletion = { event: "deleteAsked"; record: string; key: string };

/** Why an entry does not count, and because of which resource; a delete has none. */
export type Conflict =
  | { why: "declares" | "has" | "has in state" | "claims" | "may keep" | "waits" | "failed"; urn: string }
  | { why: "deletes" };

/** What the run knows of a resource. */
interface Member {
  account?: string;
  isNew: boolean;
  /** The record that it has. */
  record?: string | undefined;
  /** It has that only by its announcement. */
  isClaim?: boolean;
  /** It failed, and did not succeed since. */
  failed?: boolean;
}

/** What the run knows of a record. */
interface Possession {
  /** Who has it. The last one counts. */
  owner?: string | undefined;
  /** Who has it in state, of those that this run has compared. The first one counts. */
  inState?: string;
  /** Who had announced to adopt it, when it was found to be another one's in state. */
  outbid?: string | undefined;
  /** Its delete has begun, and nobody has got it since: an id that is made again counts at once. */
  isDeleting?: boolean;
}

/** What the run knows of a key. */
interface Naming {
  /** Who declared it first. */
  declarer?: string;
  /** Who has it in state, and declares another. */
  leaver?: string;
}

/** Writes an entry. Returns those that any process of the run has written since the last call, this one included. */
export type Exchange = (entry: Entry) => readonly Entry[];

function valueIn<T>(map: Map<string, T>, key: string, first: T): T {
  const value = map.get(key) ?? first;
  map.set(key, value);
  return value;
}

/**
 * Which resource of the program has which record, in one run of the engine. The lifecycle does not use this directly:
 * `resource-ledger.ts` appends, and words the refusals. All processes replay the same entries in the same order, so they agree on
 * who is first. Nothing waits: the later one is refused.
 *
 * 1. The first resource that declares a key has it. A program that declares `shop.com` twice would undo its own changes.
 * 2. The first that keeps, adopts or makes a record has it. What the answer to its own POST shows it has anyway. An id that
 *    resources of two accounts have is no conflict: one account has lost its record, the service has given its id to the other, and
 *    the next refresh drops the lost one. It is deleted for neither: two keys may open one account.
 * 3. A resource that renames its pixel in place, from A to B, has A until it was compared. A new one that adopts A in the same edit
 *    would otherwise get its record if the engine happens to create that one in between.
 * 4. What a resource has in state it keeps, whoever has announced to adopt it. Both are told: a preview refuses what its up would.
 * 5. A record is not deleted if another resource has or claims it, nor if the resource that declares its key failed, may still keep
 *    what it has in state, or has no record yet and is not the one that was seen to leave this one. A program that renames a
 *    resource without `aliases` has the engine create the new one first, which adopts the record, and then delete the old one, with
 *    that same record (pulumi/pulumi#2625). If nobody was seen to leave it, it may be the declarer's: what the engine replaces by
 *    force, with `--replace` or a taint, it does not compare (pulumi/pulumi#9924).
 *
 * What is never checked has nothing: `destroy` checks nothing, even if it runs the program (pulumi/pulumi#18751).
 */
export class Ledger {
  private readonly members = new Map<string, Member>();
  private readonly records = new Map<string, Possession>();
  private readonly keys = new Map<string, Naming>();
  /** The settings that the processes of the run have read. */
  readonly settings = new SharedSettings((entry) => this.append(entry));
  /** Why entries of other processes may be missing, and what to do about it. */
  problem: readonly string[] | undefined;

  /** @param nameOf the name in a URN */
  constructor(
    private readonly exchange: Exchange,
    readonly nameOf: (urn: string) => string,
  ) {}

  /** Writes an entry, and reads what other processes have written since. Returns why it does not count, if so. */
  append(entry: Entry): Conflict | undefined {
    let news: readonly Entry[] = [entry];
    try {
      news = this.exchange(entry);
    } catch (error) {
      // Even if no other process sees the entry, it counts for this one.
      this.problem = linesOf(error);
    }
    for (const newEntry of news) this.replay(newEntry);
    // What counts is in conflict with nothing any more.
    return this.conflictOf(entry);
  }

  /** Whether no resource was declared. */
  get isEmpty(): boolean {
    return this.keys.size === 0;
  }

  /** Returns the resource that declares a key, or undefined. */
  declarerOf(key: string): string | undefined {
    return this.keys.get(key)?.declarer;
  }

  /** Returns the resource that has a record in the account of this one, or undefined. */
  ownerOf(record: string, urn: string): string | undefined {
    return this.inAccountOf(urn, this.records.get(record)?.owner);
  }

  /** Returns the other resource, unless it is known to be of another account. */
  private inAccountOf(urn: string, other: string | undefined): string | undefined {
    const account = this.members.get(urn)?.account;
    const { account: others = account } = this.members.get(other ?? urn) ?? {};
    return account === undefined || account === others ? other : undefined;
  }

  /**
   * Whether a resource has a record in state and has not kept it in this run: the engine has not compared it yet, or it left it
   * and is not checked again yet.
   */
  mayStillKeep(urn: string): boolean {
    const { isNew = true, record } = this.members.get(urn) ?? {};
    return !isNew && record === undefined;
  }

  /** Returns why an entry does not count, or undefined. */
  private conflictOf(entry: Entry): Conflict | undefined {
    switch (entry.event) {
      case "declared": {
        const first = this.declarerOf(entry.key) ?? entry.urn;
        // A resource without a URN, as in an import, goes by its key, and may be any.
        return [entry.urn, entry.key].includes(first) ? undefined : { why: "declares", urn: first };
      }
      case "kept":
      case "left":
        return this.conflictOfCompared(entry);
      case "claimed":
      case "adopted":
        return this.conflictOfAdoption(entry);
      case "deleteAsked":
        return this.conflictOfDelete(entry);
      default:
        return undefined;
    }
  }

  private conflictOfCompared({ event, urn, record }: Comparison): Conflict | undefined {
    const { inState: first, isDeleting, outbid } = this.records.get(record) ?? {};
    const inState = this.inAccountOf(urn, first) ?? urn;
    const owner = this.ownerOf(record, urn) ?? urn;
    if (inState !== urn) return { why: "has in state", urn: inState };
    if (event === "left") return undefined;
    if (isDeleting) return { why: "deletes" };
    if (owner === urn) return outbid === undefined ? undefined : { why: "claims", urn: outbid };
    return { why: this.members.get(owner)?.isClaim ? "claims" : "has", urn: owner };
  }

  private conflictOfAdoption({ urn, record, key }: Adoption): Conflict | undefined {
    if (this.records.get(record)?.isDeleting) return { why: "deletes" };
    const owner = this.ownerOf(record, urn) ?? urn;
    if (owner !== urn) return { why: "has", urn: owner };
    const { leaver = urn } = this.keys.get(key) ?? {};
    return leaver !== urn && this.mayStillKeep(leaver) ? { why: "has", urn: leaver } : undefined;
  }

  private conflictOfDelete({ record, key }: Deletion): Conflict | undefined {
    const { owner, inState, isDeleting } = this.records.get(record) ?? {};
    const urn = owner ?? this.declarerOf(key);
    if (isDeleting || urn === undefined) return undefined;
    const { record: own, isClaim, failed } = this.members.get(urn) ?? {};
    if (own !== undefined && !isClaim) return owner === undefined ? undefined : { why: "has", urn };
    if (failed) return { why: "failed", urn };
    if (this.mayStillKeep(urn)) return { why: "may keep", urn };
    if (inState !== undefined) return [urn, key].includes(inState) ? undefined : { why: "waits", urn };
    return owner === undefined ? undefined : { why: "claims", urn };
  }

  private replay(entry: Entry): void {
    if (entry.event === "settingsRead") {
      this.settings.replay(entry);
      return;
    }
    const conflict = this.conflictOf(entry);
    switch (entry.event) {
      case "failed":
        valueIn(this.members, entry.urn, { isNew: true }).failed = true;
        return;
      case "deleteAsked":
        if (conflict === undefined) valueIn(this.records, entry.record, {}).isDeleting = true;
        return;
      case "declared":
        if (conflict === undefined) this.addDeclaration(entry);
        return;
      case "kept":
      case "left":
        valueIn(this.records, entry.record, {}).inState ??= entry.urn;
    }
    // Both are refused then: the one here, and the one that has announced it once it is created.
    const isOutbid = entry.event === "kept" && conflict?.why === "claims";
    if (isOutbid) valueIn(this.records, entry.record, {}).outbid = conflict.urn;
    if (isOutbid || (conflict === undefined && entry.event !== "left")) this.give(entry);
  }

  private addDeclaration({ urn, account, key, isNew, oldKey }: Declaration): void {
    const naming = valueIn(this.keys, key, {});
    // The engine checks a resource again if it replaces it after all, so it leaves its record.
    this.release(naming.declarer ?? urn);
    naming.declarer = urn;
    Object.assign(valueIn(this.members, urn, { isNew }), { account, isNew });
    if (oldKey !== undefined) valueIn(this.keys, oldKey, {}).leaver = urn;
  }

  /** The resource has no record any more, in this run. */
  private release(urn: string): void {
    const member = this.members.get(urn);
    if (member?.record === undefined) return;
    const possession = valueIn(this.records, member.record, {});
    if (possession.owner === urn) possession.owner = undefined;
    member.record = undefined;
  }

  private give({ event, urn, record }: Extract<Entry, { urn: string; record: string }>): void {
    const possession = valueIn(this.records, record, {});
    // It may have claimed another record, which is gone or renamed by now.
    this.release(urn);
    Object.assign(possession, { owner: urn, isDeleting: false });
    const member = valueIn(this.members, urn, { isNew: true });
    Object.assign(member, { record, isClaim: event === "claimed", failed: false });
  }
}
