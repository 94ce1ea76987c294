import { linesOf } from "../api/api";
import { type SettingsRead, SharedSettings } from "./shared-settings";

/** The fingerprints of a record. */
export interface RecordFingerprints {
  readonly record: string;
  /** If its creation is known: the same at whatever address its service is reached. */
  readonly creation?: string;
}

/**
 * What happens to a resource of the program, named by its URN, and to a record. Keys and records are fingerprints: no entry
 * holds a secret.
 */
export type Entry =
  /** Its provider has checked it. It `isNew` if it has no record yet, or gets a new one. */
  | { event: "declared"; urn: string; key: string; isNew: boolean }
  /** It was compared with its record in state, and keeps or leaves it; it claims one to adopt, adopts it, or has made one. */
  | ({ event: "kept" | "left" | "claimed" | "adopted" | "made"; urn: string } & RecordFingerprints)
  /** It was refused, or its create failed. */
  | { event: "failed"; urn: string }
  /** A provider asks to delete a record; replay lets it begin unless there is an obstacle. `key` is the one in state. */
  | ({ event: "deleteAsked"; key: string } & RecordFingerprints)
  | SettingsRead;
type Declaration = Extract<Entry, { event: "declared" }>;
type Deletion = Extract<Entry, { event: "deleteAsked" }>;
/** An entry on a resource and a record. */
export type RecordEntry = Extract<Entry, { urn: string; record: string }>;
/** Why a record is not deleted: this resource has it (at this address or another), or declares its key and may still get it. */
type Obstacle = { urn: string; why: "has" | "elsewhere" | "may keep" | "waits" | "failed" };

/** The owner of a record whose delete has begun, in place of a URN. */
export const BEGUN_DELETE = "a delete that has begun";

const isKeptOrLeft = (event: Entry["event"]) => event === "kept" || event === "left";
const isAdoption = (event: Entry["event"]) => event === "claimed" || event === "adopted";

/** Writes an entry. Returns those that any process of the run has written since the last call, this one included. */
export type Exchange = (entry: Entry) => readonly Entry[];

/**
 * Which resource of the program has which record, in one run of the engine. The lifecycle does not use this directly:
 * `resource-ledger.ts` appends, and words the refusals.
 *
 * 1. The first resource that declares a key has it: two that declare `shop.com` would undo each other's changes.
 * 2. The first that keeps, adopts or makes a record has it.
 * 3. A record is deleted only if nobody has it, and nobody who has no record yet declares its key. A program that renames a
 *    resource without `aliases` has the engine create the new one first, which adopts the record, and then delete the old one,
 *    with that same record (pulumi/pulumi#2625). A new resource that declares the key, and has not failed, prevents the delete
 *    only if another one was compared with the record: else it may be the very resource that is replaced.
 * 4. A record that somebody has at another address of its service, as its id and creation show, is neither adopted nor deleted.
 *
 * What is never checked has nothing: `destroy` checks nothing, even if it runs the program (pulumi/pulumi#18751).
 * All processes replay the same entries in the same order, so they agree on who is first. Nothing waits: the later one is
 * refused. Nobody has a record whose delete has begun.
 */
export class Ledger {
  /** By key, who declared it first. */
  readonly declarations = new Map<string, Declaration>();
  /** By record, who has it. */
  readonly owners = new Map<string, string>();
  /** The resources that have their record only by an entry "claimed": check has announced that they will adopt it. */
  private readonly claiming = new Set<string>();
  /** By resource, the record that it has. */
  private readonly records = new Map<string, string>();
  /** By record, who has it in state, of those that this run has compared. The first one counts. */
  private readonly comparedOwners = new Map<string, string>();
  /** The records whose delete has begun, and that nobody has got since (so an id that is made again counts at once). */
  readonly deleting = new Set<string>();
  /** By creation, the records that are one if their addresses lead to one service. */
  private readonly byCreation = new Map<string, Set<string>>();
  /** The resources that failed, and did not succeed since. */
  private readonly failed = new Set<string>();
  /** The settings that the processes of the run have read. */
  readonly settings = new SharedSettings((entry) => this.append(entry));
  /** Why entries of other processes may be missing, and what to do about it. */
  problem: readonly string[] | undefined;

  /** @param nameOf the name in a URN */
  constructor(
    private readonly exchange: Exchange,
    readonly nameOf: (urn: string) => string,
  ) {}

  /** Writes an entry, and reads what other processes have written since. */
  append(entry: Entry): void {
    let news: readonly Entry[] = [entry];
    try {
      news = this.exchange(entry);
    } catch (error) {
      // Even if no other process sees the entry, it counts for this one.
      this.problem = linesOf(error);
    }
    for (const newEntry of news) this.replay(newEntry);
  }

  /**
   * Whether a resource has a record in state and has not kept it in this run: the engine has not compared it yet, or it left it
   * and is not checked again yet.
   */
  mayStillKeep({ isNew, urn }: Declaration): boolean {
    return !isNew && !this.records.has(urn);
  }

  /** Returns the reason why a record is not deleted, or undefined. */
  obstacle(entry: Deletion): Obstacle | undefined {
    const { record, key } = entry;
    const owner = this.owners.get(record);
    if (owner !== undefined && !this.claiming.has(owner)) return { urn: owner, why: "has" };
    const elsewhere = this.ownerElsewhere(entry);
    if (elsewhere !== undefined) return { urn: elsewhere, why: "elsewhere" };
    const declared = owner === undefined ? this.declarations.get(key) : undefined;
    const urn = owner ?? declared?.urn;
    if (urn === undefined || (declared && this.records.has(urn))) return undefined;
    if (this.failed.has(urn)) return { urn, why: "failed" };
    if (declared && this.mayStillKeep(declared)) return { urn, why: "may keep" };
    // Without a compared holder, the record may be the declaring resource's own: what the engine replaces by force, with
    // `--replace` or a taint, it does not compare (pulumi/pulumi#9924). A resource without a URN goes by its key.
    const holder = this.comparedOwners.get(record) ?? urn;
    return [urn, key].includes(holder) ? undefined : { urn, why: "waits" };
  }

  /**
   * Returns who has a record at another address, or undefined. It is `BEGUN_DELETE` if a delete of what is to be adopted has
   * begun there. What two have in state they both keep.
   */
  ownerElsewhere({ event, record, creation = "" }: Deletion | RecordEntry): string | undefined {
    const copies = [...(this.byCreation.get(creation) ?? [])].filter((copy) => copy !== record);
    if (isAdoption(event) && copies.some((copy) => this.deleting.has(copy))) return BEGUN_DELETE;
    const counting = copies.filter((copy) => event !== "kept" || !this.comparedOwners.has(copy));
    return counting.map((copy) => this.owners.get(copy)).find((owner) => owner !== undefined);
  }

  /**
   * Returns the owner because of which a resource does not get a record, or undefined: another one has it, in state or in this
   * run. It is `BEGUN_DELETE` if the record's delete has begun.
   */
  rivalOwner(entry: RecordEntry): string | undefined {
    const { event, urn, record } = entry;
    const rival = this.rivalInState(entry);
    if (rival !== undefined || event === "left") return rival;
    // A service may give the id of a deleted record to a new one: that was made, so it counts.
    const isDeleting = this.deleting.has(record) && event !== "made";
    const owner = isDeleting ? BEGUN_DELETE : this.owners.get(record);
    return owner === urn ? undefined : owner;
  }

  /** Returns the other resource that has a record in state too, as a comparison shows, or undefined. */
  rivalInState({ event, urn, record }: RecordEntry): string | undefined {
    const owner = isKeptOrLeft(event) ? this.comparedOwners.get(record) : undefined;
    return owner === urn ? undefined : owner;
  }

  private replay(entry: Entry): void {
    const { event } = entry;
    if (event === "declared") this.addDeclaration(entry);
    else if (event === "failed") this.failed.add(entry.urn);
    else if (event === "settingsRead") this.settings.replay(entry);
    else {
      this.addCreation(entry);
      if (event !== "deleteAsked") this.addRecord(entry);
      else if (this.obstacle(entry) === undefined) this.deleting.add(entry.record);
    }
  }

  private addCreation({ record, creation }: RecordFingerprints): void {
    if (creation === undefined) return;
    const records = this.byCreation.get(creation) ?? new Set();
    this.byCreation.set(creation, records.add(record));
  }

  private addDeclaration(entry: Declaration): void {
    const first = this.declarations.get(entry.key) ?? entry;
    // A resource without a URN, as in an import, goes by its key, and may be any.
    if (first.urn !== entry.urn && first.urn !== entry.key) return;
    this.declarations.set(entry.key, entry);
    // The engine checks a resource again if it replaces it after all, so it leaves its record.
    this.release(first.urn);
  }

  /** The resource has no record any more, in this run. */
  private release(urn: string): void {
    const record = this.records.get(urn);
    if (record !== undefined) this.owners.delete(record);
    this.records.delete(urn);
  }

  private addRecord(entry: RecordEntry): void {
    const { event, urn, record } = entry;
    if (isKeptOrLeft(event) && !this.comparedOwners.has(record)) this.comparedOwners.set(record, urn);
    if (event === "left" || this.rivalOwner(entry) !== undefined) return;
    if (isAdoption(event) && this.ownerElsewhere(entry) !== undefined) return;
    if (event === "claimed") this.claiming.add(urn);
    else this.claiming.delete(urn);
    // It may have claimed another record, which is gone or renamed by now.
    this.release(urn);
    this.deleting.delete(record);
    this.failed.delete(urn);
    this.owners.set(record, urn);
    this.records.set(urn, record);
  }
}
