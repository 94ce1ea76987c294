import { pathOf } from "../schema/resource";
import type { Standing } from "./errors";

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
/** How long a run waits in all, in milliseconds, for a record that the engine may bring only now, and between two looks. */
const PATIENCE_MS = 10_000;
const WAIT_MS = 250;

/** A record that a resource of the run has in state. */
interface Remembered {
  /** Looks for it now. */
  look(): Promise<unknown>;
  /** Whether a list has shown it. */
  isListed(): boolean;
}

/** Holds writes back while the account may not be the one whose records are in state, by what a run has seen of it. */
export class AccountGuard {
  /** The records in state that were asked for, by path, and how those stand that were answered. */
  private readonly asked = new Map<string, Standing | undefined>();
  /** How many records in state were found. */
  present = 0;
  /** Those whose key another record has, and the first one that has another key now. */
  private readonly displaced: Standing[] = [];
  private renamed: Standing | undefined;
  /** The records that resources of this run have in state, by path. */
  readonly remembered = new Map<string, Remembered>();
  private looks = 0;
  /** Ends when all that was asked so far is answered. */
  private answers: Promise<unknown> = Promise.resolve();
  private patience: Promise<unknown> | undefined;
  private isOver = false;

  /**
   * Looks for a record in state. Look-ups and first reads, which may ask for what never existed, do not come here.
   *
   * @param path the record's
   */
  async ask(path: string, look: () => Promise<Standing>): Promise<Standing> {
    this.asked.set(path, undefined);
    const answer = look();
    const noted = answer.then(
      (standing) => this.note(path, standing),
      () => {},
    );
    this.answers = Promise.all([this.answers, noted]).then(() => undefined);
    return answer;
  }

  private note(path: string, standing: Standing): void {
    this.asked.set(path, standing);
    if (standing.isSame) this.present += 1;
    else if (standing.others.length > 0) this.displaced.push(standing);
    else if (standing.record !== undefined) this.renamed ??= standing;
  }

  /**
   * A standing whose others are only those that may be the record in state itself: no other resource is known to have
   * them. Another record of the state would prove a rename, so this waits for what the engine brings next.
   */
  async settled(standing: Standing, sleep: (milliseconds: number) => Promise<unknown>): Promise<Standing> {
    for (;;) {
      await this.settle();
      const now = await this.withoutKnown(standing);
      const isKnown = now.others.length === 0 && (now.record === undefined || this.present > 0);
      if (isKnown || this.isOver) return now;
      this.patience ??= sleep(PATIENCE_MS).then(() => {
        this.isOver = true;
      });
      await Promise.race([this.patience, sleep(WAIT_MS)]);
    }
  }

  private async withoutKnown(standing: Standing): Promise<Standing> {
    const others = [];
    for (const each of standing.others) {
      const path = pathOf(standing.subject.resource, each.id ?? "");
      if (!this.asked.has(path)) await this.remembered.get(path)?.look();
      if (!this.asked.get(path)?.isSame) others.push(each);
    }
    return { ...standing, others };
  }

  /**
   * Why a record that was not found does not count as gone or renamed, if so. It waits for the requests that are under way,
   * since one of them may find another record in state, and else looks for those that this run remembers.
   */
  async doubt(): Promise<string | Standing | undefined> {
    await this.settle();
    for (const each of this.displaced) {
      const now = await this.withoutKnown(each);
      if (now.others.length > 0) return now;
    }
    if (this.present > 0) return undefined;
    return this.renamed ?? describeNone(this.asked.size, this.present);
  }

  /** Why a new record may go to another account, if so. */
  async doubtNew(): Promise<string | Standing | undefined> {
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
      const rest = [...this.remembered].filter(([path]) => !this.asked.has(path));
      // One that a list shows is there, and needs no request.
      const [, next] = rest.find(([, { isListed }]) => isListed()) ?? rest[0] ?? [];
      if (next === undefined) return;
      this.looks += 1;
      await next.look();
    }
  }
}
