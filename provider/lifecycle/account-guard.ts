import type { RemoteRecord } from "../schema/codec";
import { creationOf, secondOf, signOf } from "../schema/identity";
import { pathOf, type Resource } from "../schema/resource";
import { LifecycleError, type RecordInState } from "./errors";
import type { Doubt, Standing } from "./standing";

/**
 * Returns the reason why an account that has none of the records of a state is doubted, or undefined. It is probably another
 * account, opened by a wrong key or address. One record alone may really be gone.
 *
 * @param lookedFor how many records of the state were looked for
 */
export function describeNone(lookedFor: number): string | undefined {
  return lookedFor > 1
    ? `none of the ${lookedFor} records that were looked for was found in this account`
    : undefined;
}

/**
 * Whether records of a state show that this is their account: one is there, of whichever kind. Beside ten websites, two missing
 * pixels are just gone.
 *
 * @param standings those of the records that are not as in state, as far as they are known
 */
export function isRightAccount(present: number, standings: readonly Standing[]): boolean {
  return present > 0 || standings.some(({ status }) => status === "same");
}

/**
 * Returns the reason why this may be another account than that of a state, if no record shows that it is the right one: an id
 * leads to another record, or none of several is there. Returns undefined if it is neither.
 */
export function doubtOf(
  lookedFor: number,
  standings: readonly Standing[],
): Exclude<Doubt, LifecycleError> | undefined {
  const another = standings.find(({ record }) => record !== undefined);
  const areGone = standings.every(({ status }) => status === "missing");
  return another ?? (areGone ? describeNone(lookedFor) : undefined);
}

/** How many remembered records a run looks for, to see whether this is the right account. */
const MAX_LOOKS = 2;

/** A record in state that was not looked for yet. */
interface Remembered {
  /** Looks for it now. */
  find(): Promise<unknown>;
  /** Whether a list has shown it. */
  isListed(): boolean;
}

/**
 * Holds writes back while the account may not be the one whose records are in state, by what a run has seen of it. After a
 * change of the API key to a colleague's, no record is found: a refresh would drop all of them from state, and the next `up`
 * would create them again in that account.
 */
export class AccountGuard {
  private readonly lookedFor = new Set<string>();
  private readonly remembered = new Map<string, Remembered>();
  /** The ids in state by key and creation, as far as this run knows. */
  private readonly ids = new Map<string, string>();
  /** How many records in state were found. */
  present = 0;
  /** A record that is displaced, or else the first one with another one under its id. */
  private contradiction: Standing | undefined;
  private failure: LifecycleError | undefined;
  private looks = 0;
  /** Ends when all looks so far are counted. */
  private pending: Promise<unknown> = Promise.resolve();

  /** Remembers a record that a resource of this run has in state. */
  remember(inState: RecordInState, record: Remembered): void {
    const path = this.note(inState);
    if (!this.lookedFor.has(path)) this.remembered.set(path, record);
  }

  /** Counts a look for a record in state. Look-ups and first reads, which may ask for what never existed, do not come here. */
  async countLook(inState: RecordInState, find: () => Promise<Standing>): Promise<Standing> {
    const path = this.note(inState);
    this.lookedFor.add(path);
    this.remembered.delete(path);
    const answer = find();
    const counted = answer.then(
      (standing) => this.count(standing),
      () => {},
    );
    this.pending = Promise.all([this.pending, counted]);
    return answer;
  }

  /** Returns the id under which the state has a record with the key and the creation of this one, or undefined. */
  idInState(resource: Resource, { values, createdAt }: RemoteRecord): string | undefined {
    return this.ids.get(signOf(resource, values, secondOf(createdAt)));
  }

  /** Notes where the state has a key. Returns the record's path. */
  private note({ resource, values, id }: RecordInState): string {
    this.ids.set(signOf(resource, values, creationOf(values)), id);
    return pathOf(resource, id);
  }

  private count(standing: Standing): void {
    if (standing.status === "same") this.present += 1;
    else if (standing.status === "displaced") this.contradiction = standing;
    else if (standing.status !== "missing") this.contradiction ??= standing;
  }

  /**
   * Returns the reason why a record that was not found does not count as gone, or undefined. It waits for the requests that are
   * under way, since one of them may find another record in state, and else looks for those that this run remembers.
   */
  async doubt(): Promise<Doubt | undefined> {
    await this.pending;
    await this.lookForRemembered();
    await this.pending;
    const { contradiction, failure, present } = this;
    // If the service has given one record another id, as after a restore from a backup, a missing one may have another id too.
    if (present > 0 && contradiction?.status !== "displaced") return undefined;
    return contradiction ?? failure ?? describeNone(this.lookedFor.size);
  }

  /**
   * Returns the reason why a record is not created, since it may go to another account, or undefined. Once one record in state
   * was found, no create waits for the others.
   */
  async doubtForCreate(): Promise<Doubt | undefined> {
    await this.lookForRemembered();
    const doubt = this.present > 0 ? undefined : await this.doubt();
    return this.present > 0 ? undefined : doubt;
  }

  private async lookForRemembered(): Promise<void> {
    while (this.present === 0 && this.looks < MAX_LOOKS) {
      const remembered = [...this.remembered.values()];
      // One that a list shows is there, and needs no request.
      const next = remembered.find(({ isListed }) => isListed()) ?? remembered[0];
      if (next === undefined) return;
      this.looks += 1;
      await next.find().catch((error: unknown) => {
        if (!(error instanceof LifecycleError)) throw error;
        this.failure ??= error;
      });
    }
  }
}
