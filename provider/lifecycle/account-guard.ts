import type { RemoteRecord } from "../schema/codec";
import { OtherRecord } from "./errors";

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

/** The record under an id in state. */
export interface Found {
  readonly record: RemoteRecord;
  /** Says that it has neither the key in state nor the program's: someone has renamed it, or it is another one. */
  readonly renamed?: OtherRecord;
}

/** A record that a resource of the run has in state. */
interface Remembered {
  /** Looks for it now. */
  look(): Promise<unknown>;
  /** Whether a list has shown it. */
  isListed(): boolean;
}

/** Holds writes back while the account may not be the one whose records are in state, by what a run has seen of it. */
export class AccountGuard {
  private readonly asked = new Set<string>();
  /** How many records in state were found. */
  present = 0;
  /** The first record in state whose key another record has now, and the first one that has another key now. */
  private renumbered: OtherRecord | undefined;
  private renamed: OtherRecord | undefined;
  /** The records that resources of this run have in state, by path. */
  readonly remembered = new Map<string, Remembered>();
  private looks = 0;
  /** Ends when all that was asked so far is answered. */
  private answers: Promise<unknown> = Promise.resolve();

  /**
   * Looks for a record in state. Look-ups and first reads, which may ask for what never existed, do not come here.
   *
   * @param path the record's
   */
  async ask(path: string, look: () => Promise<Found | undefined>): Promise<Found | undefined> {
    this.asked.add(path);
    const answer = look();
    const noted = answer.then(
      (found) => {
        if (found?.renamed !== undefined) this.renamed ??= found.renamed;
        else if (found !== undefined) this.present += 1;
      },
      (error: unknown) => {
        if (error instanceof OtherRecord) this.renumbered ??= error;
      },
    );
    this.answers = Promise.all([this.answers, noted]).then(() => undefined);
    return answer;
  }

  /**
   * Why a record that was not found does not count as gone or renamed, if so. It waits for the requests that are under way,
   * since one of them may find another record in state, and else looks for those that this run remembers.
   */
  async doubt(): Promise<string | OtherRecord | undefined> {
    await this.answers;
    await this.lookForRemembered();
    await this.answers;
    if (this.renumbered !== undefined) return this.renumbered;
    if (this.present > 0) return undefined;
    return this.renamed ?? describeNone(this.asked.size, this.present);
  }

  /** Why a new record may go to another account, if so. */
  async doubtNew(): Promise<string | OtherRecord | undefined> {
    await this.lookForRemembered();
    // Once a record in state was found, no create waits for the others.
    if (this.present > 0) return undefined;
    const doubt = await this.doubt();
    return this.present > 0 ? undefined : doubt;
  }

  private async lookForRemembered(): Promise<void> {
    while (this.present === 0 && this.looks < MAX_LOOKS) {
      const rest = [...this.remembered].filter(([path]) => !this.asked.has(path));
      // One that a list shows is there, and needs no request.
      const [, next] = rest.find(([, { isListed }]) => isListed()) ?? rest[0] ?? [];
      if (next === undefined) return;
      this.looks += 1;
      await next.look().catch((error: unknown) => {
        if (!(error instanceof OtherRecord)) throw error;
      });
    }
  }
}
