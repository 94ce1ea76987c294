import { acrossAddresses, keyFingerprint, type RecordScope, recordFingerprint } from "../schema/fingerprint";
import { noun, type Resource, type Values } from "../schema/resource";
import { describeRecord, LifecycleError } from "./errors";

/** A record as two fingerprints: with its service's address, and across addresses. */
type Prints = Readonly<Record<"record" | "anyAddress", string>>;
/** What a resource of the program, named by its URN, does with a key or a record. No entry holds a secret. */
export type Entry =
  /** It declares a key. It `isNew` if it has no record yet, or gets a new one. */
  | { kind: "declares"; owner: string; key: string; isNew: boolean; adopts: boolean }
  /** It keeps or leaves its record in state, takes one by adopting it, or has made one. */
  | ({ kind: "holds" | "leaves" | "takes" | "makes"; owner: string } & Prints)
  /** The delete of a record begins. `key` is the record's key in state. */
  | ({ kind: "deletes"; key: string } & Prints)
  /** A create was refused, because this record has its key. */
  | ({ kind: "refuses" } & Prints);
type Declaration = Extract<Entry, { kind: "declares" }>;
type Claim = Extract<Entry, { owner: string } & Prints>;
/** What keeps a record from being deleted, and if that is not certain, why. */
type Keeper = { owner: string; doubt?: "declares" | "address" | "refused" };

/** Writes an entry. Returns those that any process of the run has written since the last call, this one included. */
export type Exchange = (entry: Entry) => readonly Entry[];

/**
 * Which resource of the program owns which record, in one run of the engine. All processes fold the same entries in the
 * same order, so if two resources want one record, every process agrees on the first. Nothing waits: the later one is
 * refused.
 */
export class Ledger {
  /** The resource that declared a key first. */
  readonly declarations = new Map<string, Declaration>();
  /** The owner of a record. */
  readonly owners = new Map<string, string>();
  /** The record of an owner. */
  private readonly records = new Map<string, string>();
  /** The resource that has a record in state. */
  readonly holders = new Map<string, string>();
  /** The resource that has adopted a record, across addresses. */
  readonly adopters = new Map<string, string>();
  readonly deleting = new Set<string>();
  /** The records because of which a create was refused, by both fingerprints. */
  readonly refused = new Set<string>();
  /** Why entries of other processes may be missing. */
  problem: string | undefined;

  /** @param nameOf the name in a URN */
  constructor(
    private readonly exchange: Exchange,
    readonly nameOf: (urn: string) => string,
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

  /** Whether the engine has not compared a resource with its record in state yet, so that it may keep any. */
  mayHold({ isNew, owner }: Declaration): boolean {
    return !isNew && !this.records.has(owner);
  }

  /** The resource that keeps a record from being deleted. */
  keeper({ record, anyAddress, key }: Prints & { key: string }): Keeper | undefined {
    const owner = this.owners.get(record);
    if (owner !== undefined) return { owner };
    const declared = this.declarations.get(key);
    if (declared?.isNew && declared.adopts) return { owner: declared.owner };
    if (declared && this.mayHold(declared)) return { owner: declared.owner, doubt: "declares" };
    const adopter = this.adopters.get(anyAddress);
    return adopter === undefined ? undefined : { owner: adopter, doubt: "address" };
  }

  private fold(entry: Entry): void {
    if (entry.kind === "declares") this.addDeclaration(entry);
    else if (entry.kind === "refuses") this.refused.add(entry.record).add(entry.anyAddress);
    else if (entry.kind !== "deletes") this.addClaim(entry);
    else if (this.keeper(entry) === undefined) this.deleting.add(entry.record);
  }

  private addDeclaration(entry: Declaration): void {
    const first = this.declarations.get(entry.key) ?? entry;
    // One without a URN goes by its key, and may be any resource.
    if (first.owner !== entry.owner && first.owner !== entry.key) return;
    this.declarations.set(entry.key, entry);
    // The engine checks a resource again if it replaces it after all, so it leaves its record.
    this.owners.delete(this.records.get(first.owner) ?? "");
    this.records.delete(first.owner);
  }

  private addClaim({ kind, owner, record, anyAddress }: Claim): void {
    const isHolder = kind === "holds" || kind === "leaves";
    if (isHolder && !this.holders.has(record)) this.holders.set(record, owner);
    const others = [this.owners.get(record), isHolder ? this.holders.get(record) : undefined];
    if (kind === "leaves" || others.some((each) => each !== undefined && each !== owner)) return;
    // A service may give the id of a deleted record to a new one.
    if (kind === "makes") this.deleting.delete(record);
    if (this.deleting.has(record)) return;
    this.owners.set(record, owner);
    this.records.set(owner, record);
    if (kind === "takes") this.adopters.set(anyAddress, owner);
  }
}

/** The ledger for the resources of one type in one account. It describes other resources in words. */
export class ResourceLedger {
  constructor(
    private readonly ledger: Ledger,
    private readonly resource: Resource,
    private readonly account: RecordScope,
  ) {}

  /**
   * The program declares a resource; `olds` is empty for a new record. Without a URN, as in an import, it counts as the
   * one that declares the key. Throws if another one does, or if that is unknown.
   */
  declare(olds: Values, news: Values, urn?: string): void {
    const { resource, ledger } = this;
    const key = this.key(news);
    if (key === "") return;
    const [owner, isNew] = [urn ?? this.ownerOf(news), olds[resource.key] === undefined];
    ledger.tell({ kind: "declares", owner, key, isNew, adopts: news.adopt === true });
    this.assertKnown(undefined, news, "checked");
    const both = [this.ownerOf(news), owner];
    if (both[0] === owner) return;
    const names = new Set(both.map(ledger.nameOf));
    const [first, second] = names.size > 1 ? names : both;
    this.fail(
      undefined,
      news,
      `is declared twice in this program, by "${first}" and "${second}": two resources can't manage one ${noun(resource)}; remove one of them, or change its ${resource.key}`,
    );
  }

  /** A resource is compared with its record, which it keeps unless it is replaced. Throws if another one owns it. */
  hold(id: string, news: Values, isReplaced: boolean): void {
    const { ledger } = this;
    const declared = ledger.declarations.get(this.key(news));
    // A refresh compares before any check, and so does the engine when it looks for the dependents of a replacement.
    if (declared === undefined || !ledger.mayHold(declared)) return;
    const prints = this.prints(id, news);
    const { owner } = declared;
    const other = this.claim({ kind: isReplaced ? "leaves" : "holds", owner, ...prints });
    const first = this.unless(owner, ledger.holders.get(prints.record)) ?? (isReplaced ? undefined : other);
    if (first === undefined) return;
    const advice =
      "If state holds the record for both, remove one of them from the program; the record stays";
    this.fail(id, news, `also belongs to ${first}. Change one of the two in a run of its own. ${advice}`);
  }

  /** A resource adopts a record. Throws if another one owns it, or if that is unknown. */
  take(id: string, values: Values): void {
    const other = this.claim({ kind: "takes", owner: this.ownerOf(values), ...this.prints(id, values) });
    const advice = "If that one is being renamed, replaced or deleted, do that first, in a run of its own";
    if (other !== undefined) this.fail(id, values, `already belongs to ${other}: declare it once. ${advice}`);
    this.assertKnown(id, values, "adopted");
  }

  /** A resource has made a record. Returns another owner of it. */
  made(id: string, values: Values): string | undefined {
    return this.claim({ kind: "makes", owner: this.ownerOf(values), ...this.prints(id, values) });
  }

  /** A create was refused, because the record exists. */
  refuse(id: string, values: Values): void {
    this.ledger.tell({ kind: "refuses", ...this.prints(id, values) });
  }

  /** Another owner of a record. */
  other(id: string, values: Values): string | undefined {
    return this.unless(this.ownerOf(values), this.ledger.owners.get(this.prints(id, values).record));
  }

  /** Whether a resource of this program declares exactly the key of a record. */
  declares(values: Values): boolean {
    return this.ledger.declarations.has(this.key(values));
  }

  /** Begins to delete a record. Returns the resource that keeps it from being deleted. Throws if that is unknown. */
  release(id: string, olds: Values): string | undefined {
    const { key } = this.resource;
    const entry = { kind: "deletes", key: this.key(olds), ...this.prints(id, olds) } as const;
    this.ledger.tell(entry);
    this.assertKnown(id, olds, "deleted");
    const { owner = "", doubt } = this.ledger.keeper(entry) ?? {};
    let problem = doubt;
    if (this.ledger.deleting.has(entry.record)) {
      if (![entry.record, entry.anyAddress].some((each) => this.ledger.refused.has(each))) return undefined;
      problem = "refused";
    }
    if (problem === undefined) return this.named(owner);
    const reasons = {
      declares: `${this.named(owner)} declares its ${key}, and may keep it; run the same command again`,
      address: `${this.named(owner)} has adopted a record with its id and ${key} by another address. If both addresses lead to this record, remove this resource with "pulumi state delete"; otherwise run the same command again`,
      refused: `a new resource of this program with its ${key} was refused. Give that resource an alias or adopt: true, or remove it, and run the same command again`,
    };
    return this.fail(id, olds, `was not deleted: ${reasons[problem]}`);
  }

  private assertKnown(id: string | undefined, values: Values, verb: string): void {
    const { problem } = this.ledger;
    if (problem === undefined) return;
    this.fail(id, values, `was not ${verb}: whether another resource owns it is unknown, because ${problem}`);
  }

  private fail(id: string | undefined, values: Values, clause: string): never {
    throw new LifecycleError(`${describeRecord({ resource: this.resource, values, id })} ${clause}`);
  }

  private claim(entry: Claim): string | undefined {
    this.ledger.tell(entry);
    // What is being deleted has no owner.
    return this.unless(entry.owner, this.ledger.owners.get(entry.record) ?? "");
  }

  private unless(own: string, owner: string | undefined): string | undefined {
    return owner === undefined || owner === own ? undefined : this.named(owner);
  }

  private named(owner: string): string {
    const name = this.ledger.nameOf(owner);
    return name === "" ? "another resource of this program" : `"${name}"`;
  }

  /** The resource that declares a key. */
  private ownerOf(values: Values): string {
    const key = this.key(values);
    return this.ledger.declarations.get(key)?.owner ?? key;
  }

  private prints(id: string, values: Values): Prints {
    const { account, resource } = this;
    const anyAddress = acrossAddresses(resource, id, values[resource.key]);
    return { record: recordFingerprint(account, resource, id), anyAddress };
  }

  /** The fingerprint of a key. Empty if the key is unknown, or missing in a record. */
  private key(values: Values): string {
    const value = values[this.resource.key];
    return typeof value === "string" ? keyFingerprint(this.account, this.resource, value) : "";
  }
}
