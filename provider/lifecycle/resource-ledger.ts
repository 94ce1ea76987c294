import { keyFingerprint, type RecordScope, recordFingerprint } from "../schema/fingerprint";
import { fieldOf, type Resource, type Values } from "../schema/resource";
import { ADVICE, adviceForSecond, adviceToWait } from "./advice";
import { describeRecord, describeTwice, LifecycleError } from "./errors";
import type { Conflict, Ledger } from "./ledger";

const AGAIN = "Run the same command again";

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
    const [oldKey, key] = [this.keyOf(olds), this.keyOf(news)];
    if (key === "") return;
    const isNew = olds[resource.key] === undefined;
    // Who changes a website's domain leaves its record.
    const changesInPlace = oldKey !== "" && oldKey !== key && !fieldOf(resource, resource.key).replaces;
    const conflict = ledger.append({
      event: "declared",
      urn,
      account: this.scope.account,
      key,
      isNew,
      ...(changesInPlace && { oldKey }),
    });
    this.assertKnown(undefined, news, "checked");
    if (conflict === undefined || !("urn" in conflict)) return;
    throw new LifecycleError(
      ...describeTwice(resource, news, ledger.nameOf(conflict.urn), ledger.nameOf(urn)),
    );
  }

  /** A resource was compared with its record in state, and keeps it, or leaves it to be replaced. Throws if another one has it. */
  assertCompared(id: string, news: Values, event: "kept" | "left"): void {
    const { ledger } = this;
    const urn = this.declarerOf(news);
    // A refresh compares before any check, and so does the engine to find what depends on a replacement (pulumi/pulumi#2369).
    if (urn === undefined || !ledger.mayStillKeep(urn)) return;
    const conflict = ledger.append({ event, urn, record: this.recordOf(id) });
    if (conflict === undefined) return;
    if (conflict.why === "deletes") this.refuse(id, news, "is being deleted in this run", AGAIN);
    const rival = this.describeOwner(conflict.urn);
    if (conflict.why === "has in state")
      this.refuse(id, news, `also belongs to ${rival} in state`, ADVICE.dropSecond);
    const clause =
      conflict.why === "claims" ? `is to be adopted by ${rival} too` : `also belongs to ${rival}`;
    this.refuse(id, news, clause, adviceToWait(rival));
  }

  /**
   * A resource adopts a record. Throws if another one has it, or if that is unknown.
   *
   * @param event "claimed" in a check, before the record is adopted
   */
  assertAdoptable(id: string, values: Values, event: "claimed" | "adopted" = "adopted"): void {
    const entry = { event, urn: this.urnOf(values), record: this.recordOf(id), key: this.keyOf(values) };
    const conflict = this.ledger.append(entry);
    if (conflict?.why === "deletes") this.refuse(id, values, "is being deleted in this run", AGAIN);
    if (conflict !== undefined) {
      const rival = this.describeOwner(conflict.urn);
      this.refuse(id, values, `already belongs to ${rival}`, ...adviceForSecond(rival));
    }
    this.assertKnown(id, values, "adopted");
  }

  /** A resource has made a record, so it has it. */
  markMade(id: string, values: Values): void {
    this.ledger.append({ event: "made", urn: this.urnOf(values), record: this.recordOf(id) });
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
    const urn = this.urnOf(values);
    return this.ledger.ownerOf(this.recordOf(id), urn) === urn;
  }

  /** Returns the name of another resource that has a record, or undefined. */
  otherOwner(id: string, values: Values): string | undefined {
    const own = this.urnOf(values);
    const owner = this.ledger.ownerOf(this.recordOf(id), own);
    return owner === undefined || owner === own ? undefined : this.describeOwner(owner);
  }

  /** Whether a resource of this program declares exactly the key of a record. */
  isDeclared(values: Values): boolean {
    return this.declarerOf(values) !== undefined;
  }

  /**
   * Begins to delete a record. Returns the name of a resource that has it, or undefined. Throws if one may get it, or if that
   * is unknown.
   */
  beginDelete(id: string, olds: Values): string | undefined {
    const { key } = this.resource;
    const conflict = this.ledger.append({
      event: "deleteAsked",
      key: this.keyOf(olds),
      record: this.recordOf(id),
    });
    this.assertKnown(id, olds, "deleted");
    if (conflict === undefined || !("urn" in conflict)) return undefined;
    const name = this.describeOwner(conflict.urn);
    if (conflict.why === "has") return name;
    const reasons: Partial<Record<Conflict["why"], readonly [reason: string, ...advice: string[]]>> = {
      claims: [
        `${name} is to adopt it`,
        `Correct what stopped ${name}, and run "pulumi up" again`,
        `If ${name} itself is replaced, take adopt: true from it first`,
      ],
      "may keep": [`${name} declares its ${key}, and may keep it`, AGAIN],
      waits: [`${name} declares its ${key}, and has no record yet`, adviceToWait(name)],
      failed: [
        `${name} declares its ${key}, and failed`,
        `Correct or remove ${name}, and run "pulumi up" again`,
      ],
    };
    const [reason, ...advice] = reasons[conflict.why] ?? [`${name} has it`];
    return this.refuse(id, olds, `was not deleted: ${reason}`, ...advice);
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

  private describeOwner(urn: string): string {
    const name = this.ledger.nameOf(urn);
    return name === "" ? "another resource of this program" : `"${name}"`;
  }

  private declarerOf(values: Values): string | undefined {
    return this.ledger.declarerOf(this.keyOf(values));
  }

  /** The resource that declares a key, or the key itself in its place. */
  private urnOf(values: Values): string {
    return this.declarerOf(values) ?? this.keyOf(values);
  }

  private recordOf(id: string): string {
    return recordFingerprint(this.scope, this.resource, id);
  }

  /** The fingerprint of a key. Empty if the key is unknown, or missing in a record. */
  private keyOf(values: Values): string {
    const value = values[this.resource.key];
    return typeof value === "string" ? keyFingerprint(this.scope, this.resource, value) : "";
  }
}
