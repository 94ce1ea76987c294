import type { Place, Standing } from "./errors";

/**
 * Says that an account has none of the records of a state, if so. Then it is probably another account, opened by a
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

/** How many records that a run remembers it looks for, to see whether this is the right account. */
const MAX_LOOKS = 2;

/** A record in state that was not asked for yet. */
interface Remembered {
  /** Looks for it now. */
  look(): Promise<unknown>;
  /** Whether a list has shown it. */
  isListed(): boolean;
}

/** Holds writes back while the account may not be the one whose records are in state, by what a run has seen of it. */
export class AccountGuard {
  /** The keys in state of the records that this run knows, by path, and a path by key. */
  readonly inState = new Map<string, string>();
  readonly pathByKey = new Map<string, string>();
  private readonly remembered = new Map<string, Remembered>();
  /** How many records in state were found. */
  present = 0;
  /** The first one whose key another record has, and the first one whose id leads to a record of another key. */
  private displaced: Place | undefined;
  private unproven: Place | undefined;
  private looks = 0;
  /** Ends when all that was asked so far is answered. */
  private answers: Promise<unknown> = Promise.resolve();

  /** Remembers a record that a resource of this run has in state. */
  remember(path: string, key: string, record: Remembered): void {
    if (!this.inState.has(path)) this.remembered.set(path, record);
    this.know(path, key);
  }

  private know(path: string, key: string): void {
    this.inState.set(path, key);
    this.pathByKey.set(key, path);
  }

  /**
   * Looks for a record in state. Look-ups and first reads, which may ask for what never existed, do not come here.
   *
   * @param path the record's
   * @param key its key in state
   */
  async ask(path: string, key: string, look: () => Promise<Standing>): Promise<Standing> {
    this.know(path, key);
    this.remembered.delete(path);
    const answer = look();
    const noted = answer.then(
      (standing) => this.note(standing),
      () => {},
    );
    this.answers = Promise.all([this.answers, noted]).then(() => undefined);
    return answer;
  }

  private note(standing: Standing): void {
    if (standing.isSame || standing.isRenamed) this.present += 1;
    else if (standing.others.length > 0) this.displaced ??= standing;
    else if (standing.record !== undefined) this.unproven ??= standing;
  }

  /**
   * Why a record that was not found does not count as gone, if so. It waits for the requests that are under way,
   * since one of them may find another record in state, and else looks for those that this run remembers.
   */
  async doubt(): Promise<string | Place | undefined> {
    await this.settle();
    if (this.displaced !== undefined) return this.displaced;
    if (this.present > 0) return undefined;
    return this.unproven ?? describeNone(this.inState.size - this.remembered.size, this.present);
  }

  /** Why a new record may go to another account, if so. */
  async doubtNew(): Promise<string | Place | undefined> {
    await this.lookForRemembered();
    // Once a record in state was found, no create waits for the others.
    if (this.present > 0) return undefined;
    const doubt = await this.doubt();
    return this.present > 0 ? undefined : doubt;
  }

  private async settle(): Promise<void> {
    await this.answers;
    await this.lookForRemembered();
    await this.answers;
  }

  private async lookForRemembered(): Promise<void> {
    while (this.present === 0 && this.looks < MAX_LOOKS) {
      const rest = [...this.remembered.values()];
      // One that a list shows is there, and needs no request.
      const next = rest.find(({ isListed }) => isListed()) ?? rest[0];
      if (next === undefined) return;
      this.looks += 1;
      await next.look();
    }
  }
}
