import { type Api, ApiError, type Request } from "../../../provider/api/api";
import { RecordReader } from "../../../provider/api/record-reader";
import { importCommand } from "../../../provider/hosts/dynamic/identity";
import { Claims, type Context, Ownership } from "../../../provider/lifecycle";
import type { Entry, Journal } from "../../../provider/lifecycle/journal";
import { collectionOf } from "../../../provider/schema/collection";
import type { RecordScope } from "../../../provider/schema/fingerprint";
import type { Resource } from "../../../provider/schema/resource";
import type { Clock } from "./clock";

/** What the processes of all runs tell each other: the engine of each has the same address. */
export class Journals {
  private readonly entries: Entry[] = [];
  private waiting: (() => void)[] = [];
  private alive = 0;

  constructor(private readonly clock: Clock) {}

  /** A run begins; the processes of the one before are dead. */
  begin(): void {
    this.alive += 1;
    this.waiting = [];
  }

  /** The journal as one process of this run sees it. */
  open(process: string): Journal {
    let seen = 0;
    const writer = `${this.alive} ${process}`;
    return {
      writer,
      append: (event) => {
        this.entries.push({ event, writer });
        for (const wake of this.waiting.splice(0)) wake();
      },
      read: () => {
        const news = this.entries.slice(seen);
        seen = this.entries.length;
        return news;
      },
      isAlive: (other) => Number.parseInt(other, 10) === this.alive,
      changed: (silence) => {
        if (this.entries.length > seen) return Promise.resolve(true);
        return new Promise((resolve) => {
          this.waiting.push(() => resolve(true));
          this.clock.later(() => resolve(false), silence);
        });
      },
    };
  }
}

/** What one process knows of the others, and how it comes to the service. */
export interface Surroundings {
  readonly journal: Journal;
  readonly account: RecordScope;
  readonly destroys: boolean;
  readonly clock: Clock;
  readonly api: Api;
}

/** One provider's process. */
export function beginProcess(
  resource: Resource,
  { journal, account, destroys, clock, api }: Surroundings,
): Context {
  return {
    resource,
    api,
    records: new RecordReader(api, collectionOf(resource)),
    claims: new Claims(new Ownership(journal), resource, account, () => destroys),
    hints: { importCommand },
    warn: () => {},
    sleep: (milliseconds) => clock.wait(milliseconds),
    clock: () => clock.now,
  };
}

/** Nobody can tell whether the service has done it. */
export function unclear(request: Request): ApiError {
  return new ApiError(request, "unclear", "the connection was cut", {});
}
