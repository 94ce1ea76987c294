import { keyFingerprint, type RecordScope } from "../schema/fingerprint";
import { fieldOf, isUnknown, type Resource, type Values } from "../schema/resource";
import type { Declaration } from "./declarations";
import { describeOwner } from "./errors";
import type { Move } from "./journal";
import type { Ownership } from "./ownership";

/** What a program says of a resource beside its arguments. */
export interface Options {
  /** The record stays when the resource goes. */
  readonly retained: boolean;
  /** The engine refuses to delete or replace the resource where state has it protected too. */
  readonly protect: boolean;
  /** A replacement is made after the old record was deleted. */
  readonly deleteBeforeReplace: boolean;
  /** The resource's name in the program. */
  readonly name: string | undefined;
  /** Tells this declaration from all others of the run. */
  readonly token: string | undefined;
  /** The name of its explicit provider, if it has one. */
  readonly provider?: string | undefined;
}

/** What the resources of one type claim, in one account, by being declared. */
export class DeclaredClaims {
  /** The fingerprints of keys, by the keys: each step of a resource needs its own once more. */
  private readonly keys = new Map<unknown, string>();

  constructor(
    protected readonly ownership: Ownership,
    protected readonly resource: Resource,
    protected readonly account: RecordScope,
  ) {}

  /** The program declares this, whether or not the engine asks for it. */
  declared(values: Values, token: string, name: string, plain: boolean): void {
    const key = this.key(values);
    // A preview may not know it yet.
    const adopts = values.adopt !== undefined && values.adopt !== false;
    if (key !== undefined) this.ownership.announce({ is: "declared", key, token, name, plain, adopts });
  }

  /** The engine is done with what was declared. */
  ended(token: string): void {
    this.ownership.announce({ is: "ended", token });
  }

  /** A declared resource is checked; `olds` is empty for a new record. Why it can't be, where it can't. */
  check(olds: Values, news: Values, { token, name, ...options }: Options): string | undefined {
    const key = this.key(news);
    if (key === undefined) return undefined;
    const before = this.key(olds);
    const from = before === key ? undefined : before;
    const move = from === undefined ? undefined : this.moveOf(options);
    const own = token ?? key;
    const { program } = this.ownership;
    const [fresh, adopts] = [before === undefined, news.adopt === true];
    this.ownership.tell({ is: "checked", key, token: own, name, fresh, adopts, from, move });
    const owner = program.declaration(key);
    const other = owner?.token === own ? program.rival(key) : owner;
    if (other !== undefined)
      return `is declared twice in this program${both(other.name, name)}; two resources can't share one record`;
    if (from === undefined || move !== "deleted-after" || !this.ownership.isWanted(from)) return undefined;
    return `moves away from a record that ${describeOwner(program.declaration(from)?.name)} would adopt, and that is deleted only afterwards; set deleteBeforeReplace: true here, or adopt: false there`;
  }

  /** To whom a checked resource that gets a new record leaves its old one; nothing where it does not. */
  leftTo(olds: Values, news: Values): Declaration | undefined {
    const [from, key] = [this.key(olds), this.key(news)];
    if (from === undefined || key === undefined) return undefined;
    const { program } = this.ownership;
    const heir = program.declaration(from);
    // Whether one that waits has the record is not known before it is checked.
    const mayHave = heir?.plain === false && !heir.checked;
    const isFirst = program.declaration(key)?.move === "deleted-first";
    return program.isLeft(from, key) || (isFirst && mayHave) ? heir : undefined;
  }

  /** How a checked resource leaves its record, where another one was to take that over, and was checked before. */
  vacates(
    olds: Values,
    news: Values,
    options: Pick<Options, "retained" | "deleteBeforeReplace">,
  ): { readonly move: Move; readonly waits: boolean } | undefined {
    const [from, key] = [this.key(olds), this.key(news)];
    const move = this.moveOf(options);
    if (from === undefined || from === key || key === undefined || !this.ownership.isWanted(from))
      return undefined;
    if (this.leftTo(olds, news) !== undefined) return undefined;
    return { move, waits: this.ownership.program.declaration(key)?.plain === false };
  }

  /** Does what others wait for: a check, a rename or a delete. Nobody takes that for a silence. */
  async asking<T>(work: () => Promise<T>): Promise<T> {
    this.ownership.tell({ is: "asks" });
    try {
      return await work();
    } finally {
      this.ownership.tell({ is: "answered" });
    }
  }

  /** Nobody can say before the whole program is checked whether a resource takes over a record. */
  wants(values: Values): void {
    const key = this.key(values);
    if (key !== undefined) this.ownership.tell({ is: "wanted", key });
  }

  /** A resource is refused by its check, or could not be made or changed: the engine may check no more. */
  refused(): void {
    this.ownership.tell({ is: "refused" });
  }

  /** Whether a resource of this program declares the key of a record, to the letter. */
  declares(values: Values): boolean {
    const key = this.key(values);
    return key !== undefined && this.ownership.program.declaration(key) !== undefined;
  }

  protected keyOf(values: Values): string {
    const value = values[this.resource.key];
    const known = this.keys.get(value) ?? keyFingerprint(this.account, this.resource, value);
    this.keys.set(value, known);
    return known;
  }

  protected key(values: Values): string | undefined {
    const value = values[this.resource.key];
    return typeof value === "string" && !isUnknown(value) ? this.keyOf(values) : undefined;
  }

  private moveOf({ retained, deleteBeforeReplace }: Pick<Options, "retained" | "deleteBeforeReplace">): Move {
    if (!fieldOf(this.resource, this.resource.key).replaces) return "renamed";
    if (retained) return "left";
    return deleteBeforeReplace ? "deleted-first" : "deleted-after";
  }
}

function both(one: string | undefined, other: string | undefined): string {
  return one === undefined || other === undefined ? "" : `, by "${one}" and "${other}"`;
}
