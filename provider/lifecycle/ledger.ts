import {
  fingerprintAnywhere,
  keyFingerprint,
  type RecordScope,
  recordFingerprint,
} from "../schema/fingerprint";
import { isUnknown, type Resource, type Values } from "../schema/resource";
import { describeRecord, LifecycleError } from "./errors";

/** What one resource does to a key or a record. Both go by their fingerprints, so no entry holds a secret. */
export type Entry =
  /** It declares a key. It is `fresh` if it has no record yet, or gets a new one. */
  | (Owner & { is: "declares"; key: string; fresh: boolean; adopts: boolean })
  /** It keeps or leaves the record that state gives it, adopts one (`anywhere`: at any address), or has made one. */
  | (Owner & { is: "holds" | "leaves" | "takes" | "makes"; record: string; anywhere?: string })
  /** The delete of a record begins, by the key that state has of it. */
  | { is: "deletes"; record: string; anywhere: string; key: string }
  /** A create was refused, because a record with its key exists. */
  | { is: "refuses"; key: string };
type Declared = Extract<Entry, { is: "declares" }>;
type Owned = Extract<Entry, { is: "holds" | "leaves" | "takes" | "makes" }>;
type Deleted = Extract<Entry, { is: "deletes" }>;

/** A resource of the program: what tells it from all others of the run, and its name, if the host knows it. */
interface Owner {
  readonly owner: string;
  readonly name?: string | undefined;
}
/** Another resource, as far as a message can name it. */
export type Other = Pick<Owner, "name">;
/** Who asks for a check. A host that does not know resources by name leaves both out. */
export type Identity = Other & { readonly urn?: string };

/** Where all processes of a run write their entries, in one order. */
export interface RunFile {
  /** Tells this process from the others of the run. */
  readonly writer: string;
  append(entry: Entry): void;
  /** The entries since the last call, own ones included. */
  read(): readonly Entry[];
}

/**
 * Which resource of the program has which record, in one run of the engine. All processes fold the same entries in the
 * same order, so of two that want one record, the same one is first for both. Nothing waits: the later one is refused.
 */
export class Ledger {
  /** Who declares a key: of several, who did so first. */
  readonly declared = new Map<string, Declared>();
  /** Who has a record, by both of its fingerprints. */
  readonly owners = new Map<string, Owned>();
  /** To whom state gives a record. */
  readonly holders = new Map<string, Owned>();
  readonly deleting = new Set<string>();
  readonly refused = new Set<string>();
  /** What this process has checked, by keys, and how far the engine is with it. */
  readonly own = new Map<string, Owner & { status: "checked" | "leaves" | "holds" | "fresh"; id?: string }>();
  /** Why entries of others may be missing. */
  problem: string | undefined;
  private count = 0;

  constructor(private readonly file: RunFile) {}

  /** Writes an entry, and reads what the others have written until then. */
  tell(entry: Entry): void {
    if (this.problem === undefined) this.attempt(() => this.file.append(entry));
    this.attempt(() => {
      for (const each of this.file.read()) this.fold(each);
    });
    // What others may not see still holds for this process.
    if (this.problem !== undefined) this.fold(entry);
  }

  newOwner(): string {
    this.count += 1;
    return `${this.file.writer} ${this.count}`;
  }

  /** The resource for which a record is not deleted: it has it, or would adopt it. */
  keeper({ record, anywhere, key }: Deleted): Other | undefined {
    const owner = this.owners.get(record) ?? this.owners.get(anywhere);
    const declared = this.declared.get(key);
    if (owner !== undefined || declared === undefined) return owner;
    if (declared.fresh) return declared.adopts ? declared : undefined;
    // One that the engine has not compared yet may keep this record.
    return [...this.owners.values()].some((each) => each.owner === declared.owner) ? undefined : declared;
  }

  private attempt(use: () => void): void {
    try {
      use();
    } catch (error) {
      this.problem ??= (error as Error).message;
    }
  }

  private fold(entry: Entry): void {
    if (entry.is === "declares") this.declare(entry);
    else if (entry.is === "refuses") this.refused.add(entry.key);
    else if (entry.is !== "deletes") this.claim(entry);
    else if (this.keeper(entry) === undefined) this.deleting.add(entry.record);
  }

  private declare(entry: Declared): void {
    const first = this.declared.get(entry.key) ?? entry;
    if (first.owner !== entry.owner) return;
    this.declared.set(entry.key, entry);
    // The engine replaces it after all: it leaves what it held.
    if (!first.fresh && entry.fresh)
      for (const [record, { owner }] of this.owners) if (owner === entry.owner) this.owners.delete(record);
  }

  private claim(entry: Owned): void {
    const { is, record, anywhere } = entry;
    const isHolder = is === "holds" || is === "leaves";
    if (isHolder && !this.holders.has(record)) this.holders.set(record, entry);
    const others = [this.owners.get(record), isHolder ? this.holders.get(record) : undefined];
    if (is === "leaves" || others.some((each) => each !== undefined && each.owner !== entry.owner)) return;
    // A service may give the id of a deleted record to a new one.
    if (is === "makes") this.deleting.delete(record);
    if (this.deleting.has(record)) return;
    this.owners.set(record, entry);
    if (anywhere !== undefined) this.owners.set(anywhere, entry);
  }
}

/** The ledger as the resources of one type in one account ask it. */
export class ResourceLedger {
  /** Each step of a resource needs the fingerprint of its key again. */
  private readonly keys = new Map<unknown, string>();

  constructor(
    private readonly ledger: Ledger,
    private readonly resource: Resource,
    private readonly account: RecordScope,
  ) {}

  /**
   * The program declares a resource; `olds` is empty for a new record. Returns who else declares its key.
   *
   * The engine checks a resource that it replaces twice: with what it has, and then as a new one. Without a URN, the
   * second check is told from a second resource by what came between: no comparison, or one that replaces.
   */
  declare(olds: Values, news: Values, { urn, name }: Identity): Other | undefined {
    const key = this.key(news);
    if (key === undefined) return undefined;
    const fresh = olds[this.resource.key] === undefined;
    const own = this.ledger.own.get(key);
    const isAgain = fresh && (own?.status === "checked" || own?.status === "leaves");
    const owner = urn ?? (isAgain ? own.owner : this.ledger.newOwner());
    this.ledger.tell({ is: "declares", key, owner, name, fresh, adopts: news.adopt === true });
    const first = this.ledger.declared.get(key);
    if (first?.owner !== owner) return first;
    this.ledger.own.set(key, { owner, name, status: fresh ? "fresh" : "checked" });
    return undefined;
  }

  /**
   * A resource of this process that holds a record is declared again as a new one: either by another resource, or since
   * an earlier run ended between the delete and the create of its replacement, and then the record is gone.
   */
  async heldIsGone(news: Values, isGone: (id: string) => Promise<boolean>): Promise<void> {
    const own = this.ledger.own.get(this.key(news) ?? "");
    if (own?.status === "holds" && own.id !== undefined && (await isGone(own.id))) own.status = "leaves";
  }

  /** A resource is compared with its record, which it keeps unless it is replaced. Returns who else has it. */
  compare(id: string, news: Values, isReplaced: boolean): Other | undefined {
    const own = this.ledger.own.get(this.key(news) ?? "");
    // A refresh, and the engine's search for what a replacement takes with it, compare what is not checked yet.
    if (own?.status !== "checked") return undefined;
    Object.assign(own, { status: isReplaced ? "leaves" : "holds", id });
    const { owner, name } = own;
    const record = this.record(id);
    const other = this.claim({ is: isReplaced ? "leaves" : "holds", record, owner, name });
    const holder = this.ledger.holders.get(record);
    if (holder?.owner !== owner) return holder;
    return isReplaced ? undefined : other;
  }

  /** A resource adopts a record. Returns who else has it. @throws if entries of others may be missing */
  take(id: string, values: Values): Other | undefined {
    const other = this.claim({ is: "takes", ...this.owned(id, values), ...this.ownerOf(values) });
    if (other === undefined) this.assertKnown(id, values, "adopted");
    return other;
  }

  /** A resource has made a record. Returns whose it is already. */
  made(id: string, values: Values): Other | undefined {
    return this.claim({ is: "makes", record: this.record(id), ...this.ownerOf(values) });
  }

  /** A resource could not be made, because its record exists. */
  refuse(values: Values): void {
    this.ledger.tell({ is: "refuses", key: this.keyOf(values) });
  }

  /** Who else has a record. */
  other(id: string, values: Values): Other | undefined {
    const found = this.ledger.owners.get(this.record(id));
    return found?.owner === this.ownerOf(values).owner ? undefined : found;
  }

  /** Whether a resource of this program declares the key of a record, to the letter. */
  declares(values: Values): boolean {
    return this.ledger.declared.has(this.key(values) ?? "");
  }

  /** Begins to delete a record. Returns for whom it stays. @throws if that may be one that is not known */
  release(id: string, olds: Values): Other | undefined {
    const entry = { is: "deletes", key: this.keyOf(olds), ...this.owned(id, olds) } as const;
    this.ledger.tell(entry);
    if (!this.ledger.deleting.has(entry.record)) return this.ledger.keeper(entry) ?? {};
    if (this.declares(olds)) this.assertKnown(id, olds, "deleted");
    if (!this.ledger.refused.has(entry.key)) return undefined;
    throw new LifecycleError(
      `${describeRecord({ resource: this.resource, values: olds, id })} is not deleted, because a new resource of this program with its ${this.resource.key} was refused: give that one an alias or adopt: true, or remove it, and run the same command again`,
    );
  }

  private assertKnown(id: string, values: Values, verb: string): void {
    if (this.ledger.problem === undefined) return;
    throw new LifecycleError(
      `${describeRecord({ resource: this.resource, values, id })} is not ${verb}, because whether another resource has it is not known: ${this.ledger.problem}`,
    );
  }

  private claim(entry: Owned): Other | undefined {
    this.ledger.tell(entry);
    const found = this.ledger.owners.get(entry.record);
    return found?.owner === entry.owner ? undefined : (found ?? {});
  }

  private ownerOf(values: Values): Owner {
    const key = this.keyOf(values);
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

  private keyOf(values: Values): string {
    const value = values[this.resource.key];
    const known = this.keys.get(value) ?? keyFingerprint(this.account, this.resource, value);
    this.keys.set(value, known);
    return known;
  }

  private key(values: Values): string | undefined {
    const value = values[this.resource.key];
    return typeof value === "string" && !isUnknown(value) ? this.keyOf(values) : undefined;
  }
}
