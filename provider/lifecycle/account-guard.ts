import { canonicalKey } from "../schema/identity";
import { pathOf, type Resource, type Values } from "../schema/resource";
import { LifecycleError, type RecordInState } from "./errors";
import { type Doubt, provesAccount, type Standing } from "./standing";

/**
 * Returns the reason why an account that has none of the records of a state is doubted, or undefined. It is probably another account, opened by a
 * wrong key or address. One record alone may really be gone.
 *
 * @param asked how many records of the state were looked for
 * @param present how many of them exist as in state
 */
export function describeNone(asked: number, present: number): string | undefined {
  return asked > 1 && present === 0
    ? `none of the ${asked} records that were looked for was found in this account`
    : undefined;
}

/**
 * Returns what shows that the records of a state are not of this account, or undefined: an id that leads to another record, or that
 * none of several is there. If one is there, of whichever kind, nothing shows it: beside ten websites, two pixels are just gone.
 *
 * @param standings those of the records that are not as in state, as far as they are known
 */
export function doubtOf(
  asked: number,
  present: number,
  standings: readonly Standing[],
): Exclude<Doubt, LifecycleError> | undefined {
  if (present > 0 || standings.some(provesAccount)) return undefined;
  const another = standings.find(({ record }) => record !== undefined);
  const areGone = standings.every(({ status }) => status === "missing");
  return another ?? (areGone ? describeNone(asked, present) : undefined);
}

/** How many records that a run remembers it looks for, to see whether this is the right account. */
const MAX_LOOKS = 2;

/** A record in state that was not asked for yet. */
interface Remembered {
  /** Looks for it now. */
  find(): Promise<unknown>;
  /** Whether a list has shown it. */
  isListed(): boolean;
}

/** Holds writes back while the account may not be the one whose records are in state, by what a run has seen of it. */
export class AccountGuard {
  private readonly asked = new Set<string>();
  private readonly remembered = new Map<string, Remembered>();
  /** Under which id the state has a key, as far as this run knows. */
  private readonly ids = new Map<string, string>();
  /** How many records in state were found. */
  present = 0;
  /** A record that is displaced, or else the first one with another one under its id. */
  private contradiction: Standing | undefined;
  private failure: LifecycleError | undefined;
  private looks = 0;
  /** Ends when all that was asked so far is answered. */
  private answers: Promise<unknown> = Promise.resolve();

  /** Remembers a record that a resource of this run has in state. */
  remember(inState: RecordInState, record: Remembered): void {
    const path = this.note(inState);
    if (!this.asked.has(path)) this.remembered.set(path, record);
  }

  /** Counts a look for a record in state. Look-ups and first reads, which may ask for what never existed, do not come here. */
  async observe(inState: RecordInState, find: () => Promise<Standing>): Promise<Standing> {
    const path = this.note(inState);
    this.asked.add(path);
    this.remembered.delete(path);
    const answer = find();
    const counted = answer.then(
      (standing) => this.count(standing),
      () => {},
    );
    this.answers = Promise.all([this.answers, counted]);
    return answer;
  }

  /** Under which id the state has the key of a record. */
  idInState(resource: Resource, found: Values): string | undefined {
    return this.ids.get(keyIn(resource, found));
  }

  /** Notes where the state has a key. Returns the record's path. */
  private note({ resource, values, id }: RecordInState): string {
    this.ids.set(keyIn(resource, values), id);
    return pathOf(resource, id);
  }

  private count(standing: Standing): void {
    if (provesAccount(standing)) this.present += 1;
    else if (standing.status === "displaced") this.contradiction = standing;
    else if (standing.status !== "missing") this.contradiction ??= standing;
  }

  /**
   * Returns the reason why a record that was not found does not count as gone, or undefined. It waits for the requests that are
   * under way, since one of them may find another record in state, and else looks for those that this run remembers.
   */
  async doubt(): Promise<Doubt | undefined> {
    await this.answers;
    await this.lookForRemembered();
    await this.answers;
    const { contradiction, failure, present } = this;
    // Where one record has another id, a missing one may have one too.
    if (present > 0 && contradiction?.status !== "displaced") return undefined;
    return contradiction ?? failure ?? describeNone(this.asked.size, present);
  }

  /** The same of a new record, which may go to another account. Once one was found, no create waits for the others. */
  async doubtForCreate(): Promise<Doubt | undefined> {
    await this.lookForRemembered();
    const doubt = this.present > 0 ? undefined : await this.doubt();
    return this.present > 0 ? undefined : doubt;
  }

  private async lookForRemembered(): Promise<void> {
    while (this.present === 0 && this.looks < MAX_LOOKS) {
      const rest = [...this.remembered.values()];
      // One that a list shows is there, and needs no request.
      const next = rest.find(({ isListed }) => isListed()) ?? rest[0];
      if (next === undefined) return;
      this.looks += 1;
      await next.find().catch((error: unknown) => {
        if (!(error instanceof LifecycleError)) throw error;
        this.failure ??= error;
      });
    }
  }
}

/** A key among those of all kinds of records. */
function keyIn(resource: Resource, values: Values): string {
  return `${resource.path} ${canonicalKey(resource, values)}`;
}
