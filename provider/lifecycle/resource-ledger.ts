import {
  creationFingerprint,
  keyFingerprint,
  type RecordScope,
  recordFingerprint,
} from "../schema/fingerprint";
import { creationOf, secondOf } from "../schema/identity";
import type { Resource, Values } from "../schema/resource";
import { ADVICE, adviceForSecond, adviceToWait } from "./advice";
import { describeRecord, describeTwice, LifecycleError } from "./errors";
import { BEGUN_DELETE, type Ledger, type RecordEntry, type RecordFingerprints } from "./ledger";

/**
 * The ledger for the resources of one type in one account: appends what happens to them, and refuses in words what its rules
 * refuse.
 */
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
  declare(olds: Values, news: Values, urn = this.urnOf(news)): void {
    const { resource, ledger } = this;
    const key = this.keyOf(news);
    if (key === "") return;
    const isNew = olds[resource.key] === undefined;
    ledger.append({ event: "declared", urn, key, isNew });
    this.assertKnown(undefined, news, "checked");
    const first = this.urnOf(news);
    if (first === urn) return;
    throw new LifecycleError(...describeTwice(resource, news, ledger.nameOf(first), ledger.nameOf(urn)));
  }

  /** A resource was compared with its record in state, and keeps it, or leaves it to be replaced. Throws if another one has it. */
  markCompared(id: string, olds: Values, news: Values, event: "kept" | "left"): void {
    const { ledger } = this;
    const declared = this.declarationOf(news);
    // A refresh compares before any check, and so does the engine to find what depends on a replacement (pulumi/pulumi#2369).
    if (declared === undefined || !ledger.mayStillKeep(declared)) return;
    const entry = { event, urn: declared.urn, ...this.fingerprintsOf(id, creationOf(olds)) } as const;
    const rival = this.appendAndFindRival(entry);
    this.assertNotElsewhere(entry, id, news, "is also managed elsewhere");
    if (rival === undefined) return;
    const isTwiceInState = ledger.rivalInState(entry) !== undefined;
    if (isTwiceInState) this.refuse(id, news, `also belongs to ${rival} in state`, ADVICE.dropSecond);
    this.refuse(id, news, `also belongs to ${rival}`, adviceToWait(rival));
  }

  /**
   * A resource adopts a record. Throws if another one has it, at whatever address, or if that is unknown.
   *
   * @param event "claimed" in a check, before the record is adopted
   */
  adopt(id: string, values: Values, createdAt?: string, event: "claimed" | "adopted" = "adopted"): void {
    const entry = { event, urn: this.urnOf(values), ...this.fingerprintsOf(id, secondOf(createdAt)) };
    const rival = this.appendAndFindRival(entry);
    this.assertNotElsewhere(entry, id, values, "was not adopted");
    if (rival !== undefined) {
      const advice = rival === BEGUN_DELETE ? ["Run the same command again"] : adviceForSecond(rival);
      this.refuse(id, values, `already belongs to ${rival}`, ...advice);
    }
    this.assertKnown(id, values, "adopted");
  }

  /** A resource has made a record. Returns the name of another one that has it, or undefined. */
  markMade(id: string, values: Values, createdAt?: string): string | undefined {
    return this.appendAndFindRival({
      event: "made",
      urn: this.urnOf(values),
      ...this.fingerprintsOf(id, secondOf(createdAt)),
    });
  }

  /**
   * A resource was refused, or its create failed. It keeps a record that it has nevertheless. Until it gets one, a delete of a
   * record with its key is refused, and says that this resource failed.
   */
  markFailed(values: Values, urn = this.urnOf(values)): void {
    this.ledger.append({ event: "failed", urn });
  }

  /** Whether a resource itself has a record, as after a create that failed and left one. */
  isOwner(id: string, values: Values): boolean {
    return this.ledger.owners.get(this.fingerprintsOf(id).record) === this.urnOf(values);
  }

  /** Returns the name of another resource that has a record, or undefined. */
  otherOwner(id: string, values: Values): string | undefined {
    const urn = this.ledger.owners.get(this.fingerprintsOf(id).record);
    return urn === undefined || urn === this.urnOf(values) ? undefined : this.describeOwner(urn);
  }

  /** Whether a resource of this program declares exactly the key of a record. */
  isDeclared(values: Values): boolean {
    return this.declarationOf(values) !== undefined;
  }

  /**
   * Begins to delete a record. Returns the name of a resource that has it, or undefined. Throws if one may get it, or if that
   * is unknown.
   */
  beginDelete(id: string, olds: Values): string | undefined {
    const { resource, ledger } = this;
    const entry = {
      event: "deleteAsked",
      key: this.keyOf(olds),
      ...this.fingerprintsOf(id, creationOf(olds)),
    } as const;
    ledger.append(entry);
    this.assertKnown(id, olds, "deleted");
    const obstacle = ledger.deleting.has(entry.record) ? undefined : ledger.obstacle(entry);
    if (obstacle === undefined) return undefined;
    const name = this.describeOwner(obstacle.urn);
    if (obstacle.why === "has") return name;
    const { key } = resource;
    const reasons: Readonly<Record<typeof obstacle.why, readonly [reason: string, advice: string]>> = {
      elsewhere: this.describeElsewhere(obstacle.urn),
      "may keep": [`${name} declares its ${key}, and may keep it`, "Run the same command again"],
      waits: [`${name} declares its ${key}, and has no record yet`, adviceToWait(name)],
      failed: [
        `${name} declares its ${key}, and failed`,
        `Correct or remove ${name}, and run "pulumi up" again`,
      ],
    };
    const [reason, advice] = reasons[obstacle.why];
    return this.refuse(id, olds, `was not deleted: ${reason}`, advice);
  }

  private assertKnown(id: string | undefined, values: Values, verb: string): void {
    const { problem } = this.ledger;
    if (problem === undefined) return;
    const [reason = "", ...advice] = problem;
    const clause =
      verb === "checked"
        ? `was not checked for a second resource with its ${this.resource.key}: ${reason}`
        : `was not ${verb}: whether another resource has it is unknown, because ${reason}`;
    this.refuse(id, values, clause, ...advice);
  }

  private refuse(id: string | undefined, values: Values, clause: string, ...advice: string[]): never {
    throw new LifecycleError(
      `${describeRecord({ resource: this.resource, values, id })} ${clause}`,
      ...advice,
    );
  }

  private assertNotElsewhere(entry: RecordEntry, id: string, values: Values, clause: string): void {
    const owner = this.ledger.ownerElsewhere(entry);
    if (owner === undefined) return;
    const [reason, advice] = this.describeElsewhere(owner);
    this.refuse(id, values, `${clause}: ${reason}`, advice);
  }

  private describeElsewhere(urn: string): readonly [reason: string, advice: string] {
    return [
      `${this.describeOwner(urn)} has a record with its id and time of creation at another address`,
      "Give both providers the same address, and run the same command again",
    ];
  }

  /** Appends that a resource gets or leaves a record. Returns the name of its rival for it, or undefined. */
  private appendAndFindRival(entry: RecordEntry): string | undefined {
    this.ledger.append(entry);
    const rival = this.ledger.rivalOwner(entry);
    return rival === undefined ? undefined : this.describeOwner(rival);
  }

  private describeOwner(urn: string): string {
    if (urn === BEGUN_DELETE) return BEGUN_DELETE;
    const name = this.ledger.nameOf(urn);
    return name === "" ? "another resource of this program" : `"${name}"`;
  }

  /** The declaration of a key. A refresh of a thousand declares none, and then none is hashed. */
  private declarationOf(values: Values) {
    const { declarations } = this.ledger;
    return declarations.size === 0 ? undefined : declarations.get(this.keyOf(values));
  }

  /** The resource that declares a key, or the key itself in its place. */
  private urnOf(values: Values): string {
    const key = this.keyOf(values);
    return this.ledger.declarations.get(key)?.urn ?? key;
  }

  /** The fingerprints of a record. */
  private fingerprintsOf(id: string, created = Number.NaN): RecordFingerprints {
    const record = recordFingerprint(this.scope, this.resource, id);
    return created > 0 ? { record, creation: creationFingerprint(this.resource, id, created) } : { record };
  }

  /** The fingerprint of a key. Empty if the key is unknown, or missing in a record. */
  private keyOf(values: Values): string {
    const value = values[this.resource.key];
    return typeof value === "string" ? keyFingerprint(this.scope, this.resource, value) : "";
  }
}
