import { type Claim, isOwned } from "./claim";
import { Declarations } from "./declarations";
import type { Claimed, Event, Journal, Moved } from "./journal";
import { Progress } from "./progress";

/** What is known of a run, from its journal alone: in every process the same, as far as it has read. */
export class Run {
  readonly program: Declarations;
  readonly progress: Progress;
  private readonly claims = new Map<string, Claim>();
  /** The record of the resource that has a key. */
  private readonly records = new Map<string, string>();
  /** The key of the resource that took over a record, by what that record is at any address. */
  private readonly takers = new Map<string, string>();
  private readonly wanted = new Set<string>();
  private readonly creating = new Map<string, string>();
  /** The keys whose create has begun, however it ended. */
  private readonly begun = new Set<string>();

  constructor(readonly journal: Journal) {
    const isAlive = (writer: string) => journal.isAlive(writer);
    this.program = new Declarations(isAlive);
    this.progress = new Progress(this.program, isAlive);
  }

  /** Tells everybody, and reads nothing, for a program, which has nothing to ask. */
  announce(event: Event): void {
    this.journal.append(event);
  }

  /** Tells everybody, and learns what everybody has told until then. */
  tell(event: Event): void {
    this.announce(event);
    this.catchUp();
  }

  /** Learns what the others have told; what an earlier run left, whose engine had the same address, counts for nothing. */
  catchUp(): void {
    for (const { event, writer } of this.journal.read())
      if (this.journal.isAlive(writer)) this.fold(event, writer);
  }

  /** Whether the resource with this key would take over the record that has it, and has not done so yet. */
  isWanted(key: string): boolean {
    return this.wanted.has(key) && this.claim(this.records.get(key) ?? "")?.is !== "taken";
  }

  /** Who makes the record of a key. */
  creator(key: string): string | undefined {
    const writer = this.creating.get(key);
    return writer !== undefined && this.journal.isAlive(writer) ? writer : undefined;
  }

  /** Whether the create of the record of a key has begun, however it ended. */
  hasBegun(key: string): boolean {
    return this.begun.has(key);
  }

  /** What becomes of a record. */
  claim(id: string): Claim | undefined {
    const claim = this.claims.get(id);
    return claim !== undefined && this.journal.isAlive(claim.writer) ? claim : undefined;
  }

  /** The record of the resource that has this key. */
  recordOf(key: string): string | undefined {
    return this.records.get(key);
  }

  /** The key of the resource that took over a record, whatever address it was found at. */
  takerOf(anywhere: string): string | undefined {
    return this.takers.get(anywhere);
  }

  private fold(event: Event, writer: string): void {
    switch (event.is) {
      case "hurry":
      case "refused":
      case "asks":
      case "answered":
        this.progress.add(event, writer);
        break;
      case "ended":
        this.program.end(event.token);
        break;
      case "declared":
      case "checked":
        if (this.program.add(event, writer)?.renewed) this.letGo(event.key, writer);
        break;
      case "wanted":
        this.wanted.add(event.key);
        break;
      case "creating":
        this.begun.add(event.key);
        if (this.creator(event.key) === undefined) this.creating.set(event.key, writer);
        break;
      case "failed":
        this.creating.delete(event.key);
        break;
      case "gone":
      case "renamed":
      case "stays":
      case "left":
        this.moved(event);
        break;
      default:
        this.claimed(event, writer);
    }
  }

  /** The resource that has this key has its record replaced. */
  private letGo(key: string, writer: string): void {
    const record = this.records.get(key) ?? "";
    if (this.claims.get(record)?.is === "held") this.claims.set(record, { is: "leaving", key, writer });
  }

  private claimed({ is, id, key, anywhere }: Claimed, writer: string): void {
    if (is === "held" || is === "leaving") this.program.compared(key, id);
    const before = this.claim(id);
    if (!this.mayBe(is, before, key)) return;
    // What deletes a record goes by its old key; whose it is stays as it was.
    this.claims.set(id, { is, key: is === "deleting" ? (before?.key ?? key) : key, writer });
    if (is !== "deleting") this.records.set(key, id);
    if (is === "taken" && anywhere !== undefined) this.takers.set(anywhere, key);
  }

  private moved({ is, id }: Moved): void {
    const claim = this.claim(id);
    if (claim === undefined || (is === "left" && claim.is !== "leaving")) return;
    const isOwn = this.records.get(claim.key) === id;
    // What was deleted by its old key may have nothing to do with the resource that has this key now.
    if (isOwn) this.program.moved(claim.key);
    if (is === "left") this.claims.delete(id);
    if (is === "gone" || is === "stays") this.claims.set(id, { ...claim, is });
    if (isOwn && is === "gone") this.records.delete(claim.key);
  }

  /** Whether a claim counts beside the one that was there before. */
  private mayBe(is: Claim["is"], before: Claim | undefined, key: string): boolean {
    if (before === undefined) return true;
    if (is === "deleting") return !["held", "taken", "made"].includes(before.is);
    // A service may give an id once more; but what another process has meanwhile is not made here.
    if (is === "made") return before.key === key || !isOwned(before);
    if (before.key === key) return true;
    if (before.is !== "leaving") return false;
    // A run that failed may have left the record to two: it is that one's who keeps it.
    return is === "held" || this.program.isLeft(key, before.key);
  }
}
