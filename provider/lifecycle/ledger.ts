import {
  fingerprintAnywhere,
  keyFingerprint,
  type RecordScope,
  recordFingerprint,
} from "../schema/fingerprint";
import type { Resource, Values } from "../schema/resource";
import { describeOwner, describeRecord, LifecycleError } from "./errors";

/** What one resource does with a key or a record. Both are stored as fingerprints, so no entry holds a secret. */
export type Entry =
  /** It declares a key. It is `fresh` if it has no record yet, or gets a new one. */
  | (Owner & { kind: "declares"; key: string; fresh: boolean; adopts: boolean })
  /** It keeps or leaves its record in state, takes one by adopting it (`anywhere`: at any address), or has made one. */
  | (Owner & { kind: "holds" | "leaves" | "takes" | "makes"; record: string; anywhere?: string })
  /** The delete of a record begins. `key` is the record's key in state. */
  | { kind: "deletes"; record: string; anywhere: string; key: string }
  /** A create was refused, because this record has its key. */
  | { kind: "refuses"; record: string; anywhere: string };
type Declared = Extract<Entry, { kind: "declares" }>;
type Owned = Extract<Entry, { kind: "holds" | "leaves" | "takes" | "makes" }>;
type Deleted = Extract<Entry, { kind: "deletes" }>;

/** A resource of the program: what identifies it in the run, and its name, if the host knows it. */
interface Owner {
  readonly owner: string;
  readonly name?: string | undefined;
}
/** Another resource, with its name if it is known. */
export type Other = Pick<Owner, "name">;
/** The resource that is checked. A host that does not know resources by name omits both. */
export type Identity = Other & { readonly urn?: string };

/** Writes an entry. Returns those that any process of the run has written since the last call, this one included. */
export type Exchange = (entry: Entry) => readonly Entry[];

/**
 * Which resource of the program owns which record, in one run of the engine. All processes fold the same entries in the
 * same order, so if two resources want one record, every process agrees on the first. Nothing waits: the later one is
 * refused.
 */
export class Ledger {
  /** The resource that declared a key first. */
  readonly declared = new Map<string, Declared>();
  /** The owner of a record, by both of its fingerprints. */
  readonly owners = new Map<string, Owned>();
  /** The resource that has a record in state. */
  readonly holders = new Map<string, Owned>();
  readonly deleting = new Set<string>();
  /** The records because of which a create was refused, by both of their fingerprints. */
  readonly refused = new Set<string>();
  /** The resources that this process has checked, by key, and how far the engine has come with each. */
  readonly own = new Map<string, Owner & { status: "checked" | "leaves" | "holds" | "fresh"; id?: string }>();
  /** Why entries of other processes may be missing. */
  problem: string | undefined;

  /** @param newOwner identifies a resource for all processes of the run */
  constructor(
    private readonly exchange: Exchange,
    readonly newOwner: () => string,
  ) {}

  /** Writes an entry, and reads what other processes have written since. */
  tell(entry: Entry): void {
    let news: readonly Entry[] = [entry];
    try {
      news = this.exchange(entry);
    } catch (error) {
      // Even if no other process sees the entry, it counts for this one.
      this.problem = (error as Error).message;
    }
    for (const each of news) this.fold(each);
  }

  /** The resource that keeps a record from being deleted: it owns the record, or would adopt it. */
  keeper({ record, anywhere, key }: Deleted): Declared | Owned | undefined {
    const owner = this.owners.get(record) ?? this.owners.get(anywhere);
    const declared = this.declared.get(key);
    if (owner !== undefined || declared === undefined) return owner;
    if (declared.fresh) return declared.adopts ? declared : undefined;
    // The engine has not compared the declared resource yet, so it may keep this record.
    return [...this.owners.values()].some((each) => each.owner === declared.owner) ? undefined : declared;
  }

  private fold(entry: Entry): void {
    if (entry.kind === "declares") this.declare(entry);
    else if (entry.kind === "refuses") this.refused.add(entry.record).add(entry.anywhere);
    else if (entry.kind !== "deletes") this.claim(entry);
    else if (this.keeper(entry) === undefined) this.deleting.add(entry.record);
  }

  private declare(entry: Declared): void {
    const first = this.declared.get(entry.key) ?? entry;
    if (first.owner !== entry.owner) return;
    this.declared.set(entry.key, entry);
    // The engine replaces the resource after all, so it leaves its record.
    if (!first.fresh && entry.fresh)
      for (const [record, { owner }] of this.owners) if (owner === entry.owner) this.owners.delete(record);
  }

  private claim(entry: Owned): void {
    const { kind, record, anywhere } = entry;
    const isHolder = kind === "holds" || kind === "leaves";
    if (isHolder && !this.holders.has(record)) this.holders.set(record, entry);
    const others = [this.owners.get(record), isHolder ? this.holders.get(record) : undefined];
    if (kind === "leaves" || others.some((each) => each !== undefined && each.owner !== entry.owner)) return;
    // A service may give the id of a deleted record to a new one.
    if (kind === "makes") this.deleting.delete(record);
    if (this.deleting.has(record)) return;
    this.owners.set(record, entry);
    if (anywhere !== undefined) this.owners.set(anywhere, entry);
  }
}

/** The ledger for the resources of one type in one account. */
export class ResourceLedger {
  constructor(
    private readonly ledger: Ledger,
    private readonly resource: Resource,
    private readonly account: RecordScope,
  ) {}

  /**
   * The program declares a resource; `olds` is empty for a new record. Returns the other resource that declares its key.
   *
   * If the engine replaces a resource, it checks it twice: with its old values, and as a new one. Without a URN, what
   * came between distinguishes the second check from a second resource: no comparison, or one that replaces.
   */
  declare(olds: Values, news: Values, { urn, name }: Identity): Other | undefined {
    const key = this.key(news);
    if (key === "") return undefined;
    const fresh = olds[this.resource.key] === undefined;
    const own = this.ledger.own.get(key);
    const isAgain = fresh && (own?.status === "checked" || own?.status === "leaves");
    const owner = urn ?? (isAgain ? own.owner : this.ledger.newOwner());
    this.ledger.tell({ kind: "declares", key, owner, name, fresh, adopts: news.adopt === true });
    const first = this.ledger.declared.get(key);
    if (first?.owner !== owner) return first;
    this.ledger.own.set(key, { owner, name, status: fresh ? "fresh" : "checked" });
    return undefined;
  }

  /**
   * The key of a held record is declared as new: either by another resource, or because an earlier run ended between
   * the delete and the create of a replacement. In the second case the record is gone, and the resource leaves it.
   */
  async heldIsGone(news: Values, isGone: (id: string) => Promise<boolean>): Promise<void> {
    const own = this.ledger.own.get(this.key(news));
    if (own?.status === "holds" && own.id !== undefined && (await isGone(own.id))) own.status = "leaves";
  }

  /** A resource is compared with its record, which it keeps unless it is replaced. Returns another owner of it. */
  compare(id: string, news: Values, isReplaced: boolean): Other | undefined {
    const own = this.ledger.own.get(this.key(news));
    // A refresh compares before any check, and so does the engine when it looks for the dependents of a replacement.
    if (own?.status !== "checked") return undefined;
    Object.assign(own, { status: isReplaced ? "leaves" : "holds", id });
    const { owner, name } = own;
    const record = this.record(id);
    const other = this.claim({ kind: isReplaced ? "leaves" : "holds", record, owner, name });
    const holder = this.ledger.holders.get(record);
    if (holder?.owner !== owner) return holder;
    return isReplaced ? undefined : other;
  }

  /** A resource adopts a record. Returns another owner of it. @throws if entries of other processes may be missing */
  take(id: string, values: Values): Other | undefined {
    const other = this.claim({ kind: "takes", ...this.owned(id, values), ...this.ownerOf(values) });
    if (other === undefined) this.assertKnown(id, values, "adopted");
    return other;
  }

  /** A resource has made a record. Returns another owner of it. */
  made(id: string, values: Values): Other | undefined {
    return this.claim({ kind: "makes", record: this.record(id), ...this.ownerOf(values) });
  }

  /** A create was refused, because the record exists. */
  refuse(id: string, values: Values): void {
    this.ledger.tell({ kind: "refuses", ...this.owned(id, values) });
  }

  /** Returns another owner of a record. */
  other(id: string, values: Values): Other | undefined {
    const found = this.ledger.owners.get(this.record(id));
    return found?.owner === this.ownerOf(values).owner ? undefined : found;
  }

  /** Whether a resource of this program declares exactly the key of a record. */
  declares(values: Values): boolean {
    return this.ledger.declared.has(this.key(values));
  }

  /** Begins to delete a record. Returns the resource that keeps it from being deleted. @throws if that is unknown */
  release(id: string, olds: Values): Other | undefined {
    const entry = { kind: "deletes", key: this.key(olds), ...this.owned(id, olds) } as const;
    this.ledger.tell(entry);
    this.assertKnown(id, olds, "deleted");
    const record = describeRecord({ resource: this.resource, values: olds, id });
    if (!this.ledger.deleting.has(entry.record)) {
      const keeper = this.ledger.keeper(entry);
      if (keeper?.kind !== "declares" || keeper.fresh) return keeper ?? {};
      throw new LifecycleError(
        `${record} was not deleted: ${describeOwner(keeper.name)} declares its ${this.resource.key}, and may keep it; run the same command again`,
      );
    }
    if (![entry.record, entry.anywhere].some((each) => this.ledger.refused.has(each))) return undefined;
    throw new LifecycleError(
      `${record} was not deleted: a new resource of this program with its ${this.resource.key} was refused. Give that resource an alias or adopt: true, or remove it, and run the same command again`,
    );
  }

  private assertKnown(id: string, values: Values, verb: string): void {
    if (this.ledger.problem === undefined) return;
    throw new LifecycleError(
      `${describeRecord({ resource: this.resource, values, id })} was not ${verb}: whether another resource owns it is unknown, because ${this.ledger.problem}`,
    );
  }

  private claim(entry: Owned): Other | undefined {
    this.ledger.tell(entry);
    const found = this.ledger.owners.get(entry.record);
    return found?.owner === entry.owner ? undefined : (found ?? {});
  }

  private ownerOf(values: Values): Owner {
    const key = this.key(values);
    const { owner, name } = this.ledger.own.get(key) ?? { owner: key };
    return { owner, name };
  }

  private owned(id: string, values: Values): { record: string; anywhere: string } {
    const anywhere = fingerprintAnywhere(this.resource, id, values[this.resource.key]);
    return { record: this.record(id), anywhere };
  }

  private record(id: string): string {
    return recordFingerprint(this.account, this.resource, id);
  }

  /** The fingerprint of a key. Empty if the key is unknown, or missing in a record. */
  private key(values: Values): string {
    const value = values[this.resource.key];
    return typeof value === "string" ? keyFingerprint(this.account, this.resource, value) : "";
  }
}
