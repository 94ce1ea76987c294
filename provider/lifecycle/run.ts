import type { Claimed, Declared, Event, Journal, Moved } from "./journal";

/** A resource that the program of this run declares. */
export interface Declaration extends Omit<Declared, "is"> {
  readonly writer: string;
  readonly checked: boolean;
  /** It was checked as one that is there, and then, with the same key, as one that is to be made. */
  readonly renewed: boolean;
}

/** One of several that declare a key. */
type Rival = Pick<Declaration, "token" | "name" | "writer">;

/** What becomes of a record in this run, and the key of the resource that sees to it. */
export interface Claim {
  readonly is: "held" | "leaving" | "taken" | "made" | "deleting" | "gone" | "stays";
  readonly key: string;
  readonly writer: string;
}

/** What is known of a run, from its journal alone: in every process the same, as far as it has read. */
export class Run {
  private readonly declarations = new Map<string, Declaration>();
  /** The key of each declaration, by its token. */
  private readonly keys = new Map<string, string>();
  private readonly movers = new Map<string, Declaration>();
  private readonly claims = new Map<string, Claim>();
  /** The record of the resource that has a key. */
  private readonly records = new Map<string, string>();
  /** Another declaration of a key that somebody declares already. */
  private readonly rivals = new Map<string, Rival>();
  private readonly wanted = new Set<string>();
  private readonly creating = new Map<string, string>();
  private readonly awaited = new Map<string, string>();
  private hurry = false;
  /** A resource was refused, or failed, so that who is not checked by now may never be. */
  anyRefused = false;
  /** A resource was checked, which no destroy does. */
  anyChecked = false;

  constructor(readonly journal: Journal) {}

  /** Tells everybody, and learns what everybody has told until then. */
  tell(event: Event): void {
    this.journal.append(event);
    this.catchUp();
  }

  /** Learns what the others have told; what an earlier run left, whose engine had the same address, counts for nothing. */
  catchUp(): void {
    for (const { event, writer } of this.journal.read())
      if (this.journal.isAlive(writer)) this.fold(event, writer);
  }

  /** Who declares a key: of several, who did so first. */
  declaration(key: string): Declaration | undefined {
    return this.alive(this.declarations.get(key));
  }

  /** Who declares a key too, beside the one that did so first. */
  rival(key: string): Rival | undefined {
    return this.alive(this.rivals.get(key));
  }

  /** The resource that had this key, and has another one from this run on. */
  mover(key: string): Declaration | undefined {
    return this.alive(this.movers.get(key));
  }

  /** The resource that would take over the record that has this key, and has not done so yet. */
  wants(key: string): Declaration | undefined {
    const isTaken = this.claim(this.records.get(key) ?? "")?.is === "taken";
    return this.wanted.has(key) && !isTaken ? this.declaration(key) : undefined;
  }

  /** Who makes the record of a key. */
  creator(key: string): string | undefined {
    const writer = this.creating.get(key);
    return writer !== undefined && this.journal.isAlive(writer) ? writer : undefined;
  }

  /** What becomes of a record. */
  claim(id: string): Claim | undefined {
    return this.alive(this.claims.get(id));
  }

  /** The record of the resource that has this key. */
  recordOf(key: string): string | undefined {
    return this.records.get(key);
  }

  nameOf(key: string): string | undefined {
    return this.declarations.get(key)?.name;
  }

  /** Whether every resource that waits for no other has been checked, or nobody can wait for that. */
  isSettled(): boolean {
    if (this.hurry && !this.anyRefused) return true;
    return ![...this.awaited.values()].some((writer) => this.journal.isAlive(writer));
  }

  private fold(event: Event, writer: string): void {
    switch (event.is) {
      case "hurry":
        this.hurry = true;
        break;
      case "refused":
        this.anyRefused = true;
        break;
      case "ended":
        this.awaited.delete(event.token);
        break;
      case "declared":
      case "checked":
        this.declare(event, writer);
        break;
      case "wanted":
        this.wanted.add(event.key);
        break;
      case "creating":
        if (this.creator(event.key) === undefined) this.creating.set(event.key, writer);
        break;
      case "failed":
        this.creating.delete(event.key);
        break;
      case "gone":
      case "renamed":
      case "stays":
        this.moved(event);
        break;
      default:
        this.claimed(event, writer);
    }
  }

  private declare(event: Declared, writer: string): void {
    const { is, key, token } = event;
    const checked = is === "checked";
    this.anyChecked ||= checked;
    const earlier = this.keys.get(token);
    const before = earlier === undefined ? undefined : this.declarations.get(earlier);
    const mine = before?.token === token ? before : undefined;
    if (!checked && mine?.checked) return;
    if (checked) this.awaited.delete(token);
    else if (event.plain) this.awaited.set(token, writer);
    if (mine !== undefined && mine.key !== key) this.declarations.delete(mine.key);
    if (earlier !== undefined && earlier !== key && this.rivals.get(earlier)?.token === token)
      this.rivals.delete(earlier);
    this.keys.set(token, key);
    const owner = this.declaration(key);
    if (owner !== undefined && owner.token !== token) {
      this.rivals.set(key, { token, name: event.name, writer });
      // It is refused, and what it has is still its own: nobody takes that for free.
      if (event.from !== undefined)
        this.movers.set(event.from, { ...event, writer, checked, renewed: false });
      return;
    }
    const again = mine?.checked === true && mine.fresh !== true && event.fresh === true;
    const from = again ? mine.from : event.from;
    const move = again ? mine.move : event.move;
    const renewed = (again && from === undefined) || mine?.renewed === true;
    const declaration = { ...event, from, move, writer, checked, renewed };
    this.declarations.set(key, declaration);
    if (from !== undefined) this.movers.set(from, declaration);
    const record = this.records.get(key);
    if (renewed && record !== undefined && this.claims.get(record)?.is === "held")
      this.claims.set(record, { is: "leaving", key, writer });
  }

  private claimed({ is, id, key }: Claimed, writer: string): void {
    const before = this.claim(id);
    if (is !== "made" && !this.mayBe(is, before, key)) return;
    // What deletes a record goes by its old key; whose it is stays as it was.
    const owner = is === "deleting" ? (before?.key ?? key) : key;
    this.claims.set(id, { is, key: owner, writer });
    if (is !== "deleting") this.records.set(key, id);
  }

  private moved({ is, id }: Moved): void {
    const claim = this.claim(id);
    if (claim === undefined) return;
    const from = this.declarations.get(claim.key)?.from;
    if (from !== undefined) this.movers.delete(from);
    if (is !== "renamed") this.claims.set(id, { ...claim, is });
    if (is === "gone" && this.records.get(claim.key) === id) this.records.delete(claim.key);
  }

  /** Whether a claim counts beside the one that was there before. */
  private mayBe(is: Claim["is"], before: Claim | undefined, key: string): boolean {
    if (before === undefined) return true;
    if (is === "deleting") return !["held", "taken", "made"].includes(before.is);
    if (before.is === "gone" || before.is === "deleting") return false;
    if (before.key === key) return true;
    return before.is === "leaving" && this.declaration(before.key)?.move === "left";
  }

  private alive<T extends { readonly writer: string }>(told: T | undefined): T | undefined {
    return told !== undefined && this.journal.isAlive(told.writer) ? told : undefined;
  }
}
