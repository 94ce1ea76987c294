import { acrossAccounts, keyFingerprint, type RecordScope, recordFingerprint } from "../schema/fingerprint";
import { noun, type Resource, type Values } from "../schema/resource";
import { describeRecord, LifecycleError } from "./errors";

/** What a resource of the program, named by its URN, does with a key or a record. No entry holds a secret. */
export type Entry =
  /** It declares a key. It `isNew` if it has no record yet, or gets a new one. */
  | { event: "declares"; owner: string; key: string; isNew: boolean; adopts: boolean }
  /** It keeps or leaves its record in state, takes one by adopting it, or has made one. */
  | { event: "holds" | "leaves" | "takes" | "makes"; owner: string; record: string }
  /**
   * The program's own process says that a resource declares a key, in any account, and whether it has a record: "not yet"
   * if it is to adopt one. The engine may never bring it to a provider, as if what it depends on fails.
   */
  | { event: "plans"; owner: string; anyAccount: string; has: "no" | "not yet" | "yes" }
  /** The delete of a record begins, with the record's key in state, or in any account. */
  | { event: "deletes"; record: string; key: string; anyAccount: string }
  /** It was refused, or its create failed. The engine may not bring to a provider what depends on it. */
  | { event: "fails"; owner: string; hasRecord: boolean }
  /** A process reads settings that no explicit provider has: their fingerprints by name. */
  | { event: "uses"; settings: Readonly<Record<string, string>> };
type Declaration = Extract<Entry, { event: "declares" }>;
type Plan = Extract<Entry, { event: "plans" }>;
type Deletion = Extract<Entry, { event: "deletes" }>;
type Claim = Extract<Entry, { owner: string; record: string }>;
/**
 * What keeps a record from being deleted: a resource that `has` it, or that `adopts` what has its key; or why that is not
 * certain.
 */
type Keeper = { owner: string; why: "has" | "adopts" | "declares" | "waits" | "plans" | "failed" };

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
  readonly deleting = new Set<string>();
  /** The resources that the engine has brought to a provider. */
  private readonly checked = new Set<string>();
  /** What the program's process says of resources without a record, by their keys, as long as it counts. */
  private readonly plans = new Map<string, Map<string, Plan>>();
  /** Where a resource stands in `plans`. */
  private readonly planned = new Map<string, Map<string, Plan>>();
  /** The resources whose create failed, and did not succeed since. */
  private readonly failed = new Set<string>();
  /** The fingerprints of settings, by name. */
  private readonly settings = new Map<string, string>();
  private hasToldSettings = false;
  /** The names of settings of which two processes have different values. */
  private readonly differing = new Set<string>();
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

  /**
   * Tells the settings of this process, once. Returns the names of those of which two processes have different values: of
   * two processes, the later one learns it.
   */
  uses(settings: Readonly<Record<string, string>>): ReadonlySet<string> {
    if (!this.hasToldSettings) this.tell({ event: "uses", settings });
    this.hasToldSettings = true;
    return this.differing;
  }

  /** Whether the engine has not compared a resource with its record in state yet, so that it may keep any. */
  mayHold({ isNew, owner }: Declaration): boolean {
    return !isNew && !this.records.has(owner);
  }

  /** What keeps a record from being deleted. A resource that has another record keeps none. */
  keeper(entry: Deletion): Keeper | undefined {
    const { record, key, anyAccount } = entry;
    const owner = this.owners.get(record);
    if (owner !== undefined) return { owner, why: "has" };
    const declared = this.declarations.get(key);
    const waiting = declared && this.whyWaiting(declared, entry);
    if (waiting !== undefined) return waiting;
    const plans = [...(this.plans.get(anyAccount)?.values() ?? [])];
    const plan = plans.find((each) => !this.records.has(each.owner));
    if (plan !== undefined) return { owner: plan.owner, why: plan.has === "not yet" ? "adopts" : "plans" };
    // What a resource of the program has itself, and gives up, no other can be waiting for; nor for a key that one declares.
    const [failed] = declared !== undefined || this.holders.has(record) ? [] : this.failed;
    return failed === undefined ? undefined : { owner: failed, why: "failed" };
  }

  /** Why the resource that declares a record's key keeps it, though it does not have it. */
  private whyWaiting({ owner, isNew, adopts }: Declaration, { record, key }: Deletion): Keeper | undefined {
    if (this.records.has(owner)) return undefined;
    if (this.failed.has(owner)) return { owner, why: "failed" };
    if (!isNew) return { owner, why: "declares" };
    if (adopts) return { owner, why: "adopts" };
    // The engine does not compare what it replaces by force, which then declares the key of the record that it leaves.
    const holder = this.holders.get(record) ?? owner;
    return [owner, key].includes(holder) ? undefined : { owner, why: "waits" };
  }

  private fold(entry: Entry): void {
    if (entry.event === "declares") this.addDeclaration(entry);
    else if (entry.event === "plans") this.addPlan(entry);
    else if (entry.event === "fails") this.addFailure(entry);
    else if (entry.event === "uses") this.addSettings(entry.settings);
    else if (entry.event !== "deletes") this.addClaim(entry);
    else if (this.keeper(entry) === undefined) this.deleting.add(entry.record);
  }

  private addFailure({ owner, hasRecord }: Extract<Entry, { event: "fails" }>): void {
    this.failed.add(owner);
    if (!hasRecord) this.disown(owner);
  }

  private addSettings(settings: Readonly<Record<string, string>>): void {
    for (const [name, print] of Object.entries(settings)) {
      const first = this.settings.get(name) ?? print;
      this.settings.set(name, first);
      if (first !== print) this.differing.add(name);
    }
  }

  private addPlan(plan: Plan): void {
    const { owner, anyAccount, has } = plan;
    this.planned.get(owner)?.delete(owner);
    if (has === "yes" || (has === "not yet" && this.checked.has(owner))) return;
    const plans = this.plans.get(anyAccount) ?? new Map<string, Plan>();
    this.plans.set(anyAccount, plans.set(owner, plan));
    this.planned.set(owner, plans);
  }

  private addDeclaration(entry: Declaration): void {
    this.checked.add(entry.owner);
    const plans = this.planned.get(entry.owner);
    if (plans?.get(entry.owner)?.has === "not yet") plans.delete(entry.owner);
    const first = this.declarations.get(entry.key) ?? entry;
    // One without a URN goes by its key, and may be any resource.
    if (first.owner !== entry.owner && first.owner !== entry.key) return;
    this.declarations.set(entry.key, entry);
    // The engine checks a resource again if it replaces it after all, so it leaves its record.
    this.disown(first.owner);
  }

  private disown(owner: string): void {
    this.owners.delete(this.records.get(owner) ?? "");
    this.records.delete(owner);
  }

  private addClaim({ event, owner, record }: Claim): void {
    const isHolder = event === "holds" || event === "leaves";
    if (isHolder && !this.holders.has(record)) this.holders.set(record, owner);
    const others = [this.owners.get(record), isHolder ? this.holders.get(record) : undefined];
    if (event === "leaves" || others.some((each) => each !== undefined && each !== owner)) return;
    // A service may give the id of a deleted record to a new one.
    if (event === "makes") this.deleting.delete(record);
    this.failed.delete(owner);
    if (this.deleting.has(record)) return;
    this.owners.set(record, owner);
    this.records.set(owner, record);
  }
}

/** Says that two resources of a program declare one key. */
export function describeTwice(
  resource: Resource,
  values: Values,
  owners: readonly string[],
  nameOf: (urn: string) => string,
): string {
  const names = new Set(owners.map(nameOf));
  const [first, second] = names.size > 1 ? names : owners;
  return `${describeRecord({ resource, values })} is declared twice in this program, by "${first}" and "${second}": two resources can't manage one ${noun(resource)}; remove one of them, or change its ${resource.key}`;
}

/** The ledger for the resources of one type in one account. It names other resources as messages do. */
export class ResourceLedger {
  constructor(
    private readonly ledger: Ledger,
    private readonly resource: Resource,
    private readonly scope: RecordScope,
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
    ledger.tell({ event: "declares", owner, key, isNew, adopts: news.adopt === true });
    this.assertKnown(undefined, news, "checked");
    const both = [this.ownerOf(news), owner];
    if (both[0] === owner) return;
    throw new LifecycleError(describeTwice(resource, news, both, ledger.nameOf));
  }

  /** A resource is compared with its record, which it keeps unless it is replaced. Throws if another one owns it. */
  hold(id: string, news: Values, isReplaced: boolean): void {
    const { ledger } = this;
    const declared = ledger.declarations.get(this.key(news));
    // A refresh compares before any check, and so does the engine when it looks for the dependents of a replacement.
    if (declared === undefined || !ledger.mayHold(declared)) return;
    const record = this.record(id);
    const { owner } = declared;
    const other = this.claim({ event: isReplaced ? "leaves" : "holds", owner, record });
    const first = this.unless(owner, ledger.holders.get(record)) ?? (isReplaced ? undefined : other);
    if (first === undefined) return;
    const steps = `Run "pulumi up" with the change of one of the two only, then with both`;
    const advice =
      "If state holds the record for both, remove one of them from the program; the record stays";
    this.fail(id, news, `also belongs to ${first}. ${steps}. ${advice}`);
  }

  /** A resource adopts a record. Throws if another one owns it, or if that is unknown. */
  take(id: string, values: Values): void {
    const other = this.claim({ event: "takes", owner: this.ownerOf(values), record: this.record(id) });
    const advice = `If that one is being renamed, replaced or deleted, run "pulumi up" with that change alone, then with this resource`;
    if (other !== undefined) this.fail(id, values, `already belongs to ${other}: declare it once. ${advice}`);
    this.assertKnown(id, values, "adopted");
  }

  /** A resource has made a record. Returns another owner of it. */
  made(id: string, values: Values): string | undefined {
    return this.claim({ event: "makes", owner: this.ownerOf(values), record: this.record(id) });
  }

  /**
   * A resource was refused, or its create failed.
   *
   * @param hasRecord whether it has a record nevertheless
   */
  fails(values: Values, hasRecord: boolean, urn?: string): void {
    this.ledger.tell({ event: "fails", owner: urn ?? this.ownerOf(values), hasRecord });
  }

  /** Another owner of a record. */
  other(id: string, values: Values): string | undefined {
    return this.unless(this.ownerOf(values), this.ledger.owners.get(this.record(id)));
  }

  /** Whether a resource of this program declares exactly the key of a record. */
  declares(values: Values): boolean {
    return this.ledger.declarations.has(this.key(values));
  }

  /**
   * Begins to delete a record. Returns the resource that keeps it from being deleted: one that has it, or adopts it if it
   * still has its key. Throws if that is unknown.
   */
  release(id: string, olds: Values): { name: string; has: boolean } | undefined {
    const { resource, ledger } = this;
    const { key } = resource;
    const anyAccount = acrossAccounts(resource, olds[key]);
    const entry = { event: "deletes", record: this.record(id), key: this.key(olds), anyAccount } as const;
    ledger.tell(entry);
    this.assertKnown(id, olds, "deleted");
    const keeper = ledger.keeper(entry);
    if (keeper === undefined || ledger.deleting.has(entry.record)) return undefined;
    const { why } = keeper;
    const name = this.named(keeper.owner);
    if (why === "has" || why === "adopts") return { name, has: why === "has" };
    const reasons = {
      declares: `${name} declares its ${key}, and may keep it; run the same command again`,
      waits: `${name} declares its ${key}, and has no record yet. Run "pulumi up" without ${name}, then with it`,
      plans: `${name} declares its ${key}, but has no record yet; run "pulumi up" again, for all resources`,
      failed: `${name} could not be created, and what depends on it may want this record; correct or remove that one, and run "pulumi up" again`,
    };
    return this.fail(id, olds, `was not deleted: ${reasons[why]}`);
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

  private record(id: string): string {
    return recordFingerprint(this.scope, this.resource, id);
  }

  /** The fingerprint of a key. Empty if the key is unknown, or missing in a record. */
  private key(values: Values): string {
    const value = values[this.resource.key];
    return typeof value === "string" ? keyFingerprint(this.scope, this.resource, value) : "";
  }
}
