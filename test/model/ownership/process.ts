import { type Api, ApiError, type Request } from "../../../provider/api/api";
import { RecordReader } from "../../../provider/api/record-reader";
import { Claims, type Context, Ownership } from "../../../provider/lifecycle";
import type { Entry, Journal } from "../../../provider/lifecycle/journal";
import { collectionOf } from "../../../provider/schema/collection";
import type { RecordScope } from "../../../provider/schema/fingerprint";
import type { Resource } from "../../../provider/schema/resource";
import type { Clock } from "./clock";

/** An event, and when it was told. */
interface Told extends Entry {
  readonly at: number;
}

/**
 * What the processes of all runs tell each other: the engine of each has the same address. Each process is a moment
 * behind, as one is that was put to sleep after it has read the journal: what the others tell meanwhile it learns only
 * when it has told something itself.
 */
export class Journals {
  private readonly entries: Told[] = [];
  private waiting: (() => void)[] = [];
  private alive = 0;

  constructor(private readonly clock: Clock) {}

  /** A run begins; the processes of the one before are dead. */
  begin(): void {
    this.alive += 1;
    this.waiting = [];
  }

  /** The journal as one process of this run sees it, so many milliseconds behind. */
  open(process: string, behind = 0): Journal {
    let [seen, told] = [0, 0];
    const writer = `${this.alive} ${process}`;
    const visible = () => {
      let end = Math.max(seen, told);
      while ((this.entries[end]?.at ?? Number.POSITIVE_INFINITY) <= this.clock.now - behind) end += 1;
      return end;
    };
    return {
      writer,
      append: (event) => {
        this.entries.push({ event, writer, at: this.clock.now });
        told = this.entries.length;
        for (const wake of this.waiting.splice(0)) wake();
      },
      read: () => {
        const end = visible();
        const news = this.entries.slice(seen, end);
        seen = end;
        return news;
      },
      isAlive: (other) => Number.parseInt(other, 10) === this.alive,
      changed: (silence) => {
        const wake = (resolve: (is: boolean) => void) => this.clock.later(() => resolve(true), behind);
        return new Promise((resolve) => {
          if (this.entries.length > seen) return wake(resolve);
          this.waiting.push(() => wake(resolve));
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
    warn: () => {},
    sleep: (milliseconds) => clock.wait(milliseconds),
    clock: () => clock.now,
  };
}

/** Nobody can tell whether the service has done it. */
export function unclear(request: Request): ApiError {
  return new ApiError(request, "unclear", "the connection was cut", {});
}
