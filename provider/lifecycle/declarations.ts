import type { Declared } from "./journal";

/** A resource that the program of this run declares. */
export interface Declaration extends Omit<Declared, "is"> {
  readonly writer: string;
  readonly checked: boolean;
  /** It was checked as one that is there, and then, as one that gets a new record. */
  readonly renewed: boolean;
}

/** One of several that declare a key. */
type Rival = Pick<Declaration, "token" | "name" | "writer">;

/** What the program of a run declares, and how far the engine is with it. */
export class Declarations {
  private readonly all = new Map<string, Declaration>();
  /** The key of each declaration, by its token. */
  private readonly keys = new Map<string, string>();
  /** Who moves away from a key, by their tokens: a run that failed may have left its record to two. */
  private readonly movers = new Map<string, Map<string, Declaration>>();
  /** Another declaration of a key that somebody declares already. */
  private readonly rivals = new Map<string, Rival>();
  private readonly oldRecords = new Map<string, string>();
  private readonly awaited = new Map<string, string>();
  /** A resource was checked, which no destroy does. */
  anyChecked = false;

  constructor(private readonly isAlive: (writer: string) => boolean) {}

  /** Who declares a key: of several, who did so first. */
  declaration(key: string): Declaration | undefined {
    return this.alive(this.all.get(key));
  }

  /** Who declares a key too, beside the one that did so first. */
  rival(key: string): Rival | undefined {
    return this.alive(this.rivals.get(key));
  }

  /** The resources that had this key, and have another one from this run on. */
  moversFrom(key: string): Declaration[] {
    return [...(this.movers.get(key)?.values() ?? [])].filter(({ writer }) => this.isAlive(writer));
  }

  nameOf(key: string): string | undefined {
    return this.all.get(key)?.name;
  }

  /**
   * Whether the resource with one key may have the record that the resource with another one moves away from: a run
   * that failed may have left it to both. Of one that is not checked yet nobody knows, and a record that is kept can be
   * deleted later.
   */
  mayShare(key: string, leaving: string): boolean {
    const declared = this.declaration(key);
    if (declared === undefined) return false;
    const { fresh, from } = declared;
    return from === undefined && (fresh !== true || this.isLeft(key, leaving));
  }

  /**
   * Whether the record that the resource with one key moves away from is left to the resource with another: by an
   * option, or where one of the two waits for other resources, and the other would take the record over. Nobody knows
   * which of these comes first, and so the record is not deleted.
   */
  isLeft(key: string, leaving: string): boolean {
    const [taker, mover] = [this.declaration(key), this.declaration(leaving)];
    if (mover?.move === "left") return true;
    const waits = taker?.plain === false || mover?.plain === false;
    return mover?.move === "deleted-first" && waits && taker?.adopts === true;
  }

  /** Whether a resource is awaited, and it is not known yet which record it has. */
  anyAwaited(): boolean {
    return [...this.awaited.values()].some(this.isAlive);
  }

  /** The record that the resource with this key has from an earlier run, as far as that is known. */
  oldRecord(key: string): string | undefined {
    return this.declaration(key) && this.oldRecords.get(key);
  }

  /** It is known what becomes of this record, which the resource with this key has from an earlier run. */
  compared(key: string, id: string): void {
    this.oldRecords.set(key, id);
    const token = this.declaration(key)?.token;
    if (token !== undefined) this.awaited.delete(token);
  }

  /** The engine is done with a resource, checked or not. */
  end(token: string): void {
    this.awaited.delete(token);
  }

  /** The resource with this key has given up the one that it had before, or keeps it. */
  moved(key: string): void {
    const { from, token } = this.declaration(key) ?? {};
    if (from !== undefined && token !== undefined) this.movers.get(from)?.delete(token);
  }

  /** A resource is declared or checked. Gives what is declared of it from then on, unless another one has its key. */
  add(event: Declared, writer: string): Declaration | undefined {
    const { is, key, token } = event;
    const checked = is === "checked";
    this.anyChecked ||= checked;
    const earlier = this.keys.get(token);
    const before = earlier === undefined ? undefined : this.all.get(earlier);
    const mine = before?.token === token ? before : undefined;
    if (!checked && mine?.checked) return undefined;
    if (!checked && event.plain) this.awaited.set(token, writer);
    if (mine !== undefined && mine.key !== key) this.all.delete(mine.key);
    if (earlier !== undefined && earlier !== key && this.rivals.get(earlier)?.token === token)
      this.rivals.delete(earlier);
    this.keys.set(token, key);
    const owner = this.declaration(key);
    const isRefused = owner !== undefined && owner.token !== token;
    // What is there already is asked next whether it keeps its record, unless it is refused: then nobody knows.
    if (checked && event.fresh) this.awaited.delete(token);
    if (isRefused) {
      this.rivals.set(key, { token, name: event.name, writer });
      // It is refused, and what it has is still its own: nobody takes that for free.
      this.moves({ ...event, writer, checked, renewed: false });
      return undefined;
    }
    const again = mine?.checked === true && mine.fresh !== true && event.fresh === true;
    const from = again ? mine.from : event.from;
    const move = again ? mine.move : event.move;
    const renewed = (again && (from !== undefined || event.adopts !== true)) || mine?.renewed === true;
    const plain = event.plain ?? mine?.plain;
    const declaration = { ...event, plain, from, move, writer, checked, renewed };
    this.all.set(key, declaration);
    this.moves(declaration);
    return declaration;
  }

  private moves(declared: Declaration): void {
    const { from, token } = declared;
    if (from === undefined) return;
    const movers = this.movers.get(from) ?? new Map<string, Declaration>();
    this.movers.set(from, movers.set(token, declared));
  }

  private alive<T extends { readonly writer: string }>(told: T | undefined): T | undefined {
    return told !== undefined && this.isAlive(told.writer) ? told : undefined;
  }
}
