import { isPath } from "../faults/faults";
import type { KeyVerdict } from "../service/keys";
import type { ServiceRequest } from "../service/request";
import type { Json } from "../service/response";

/** One request to the service, as the log keeps it: with neither key nor password. */
export interface LogEntry {
  /** Counts from 0 for the life of the emulator, also when the log is cleared. */
  index: number;
  /** When it was received: ISO 8601, UTC. */
  time: string;
  /** Such as `GET`. */
  method: string;
  /** As sent, without the query. */
  path: string;
  /** The query's fields. */
  query: Record<string, string>;
  /** Header names are in lower case; `authorization` is left out. */
  headers: Record<string, string>;
  /** What the service thought of its key. */
  key: KeyVerdict;
  /** The fields of a form; empty where the body was none. */
  form: Record<string, string>;
  /** The members of a JSON body; empty where it was none. */
  json: Record<string, Json>;
  /** The fault that struck it, by id; null for none. */
  fault: number | null;
  /** Whether a reply has gone out, whole or cut. */
  answered: boolean;
  /** The status that went out; null when none did. */
  status: number | null;
  /** Whether it changed the store. */
  committed: boolean;
}

/** How far a request may have come; see {@link Phase}. */
export const phases = ["received", "answered", "committed"] as const;
/**
 * How far a request has come: read, replied to (whole or cut), or performed (only where it changes something).
 *
 * @useDeclaredType
 */
export type Phase = (typeof phases)[number];

/** What to wait for. */
export interface Wait {
  /** Such as `POST`, in any case. */
  method?: string;
  /** The whole path, or its beginning followed by `*`. */
  path?: string;
  /** Only requests answered with this status. */
  status?: number;
  /** How many such requests; 1 when left out. */
  count?: number;
  /** `received` when left out. */
  phase?: Phase;
  /** Only requests from this index on, as `mark()` gives it; all that the log holds when left out. */
  since?: number;
  /** Milliseconds until waiting is given up; 10,000 when left out. */
  timeoutMs?: number;
}

const secretFields = new Set(["password", "api_key"]);
const mask = "***";

/** The log of requests. Whoever waits for one is told as soon as it has come so far. */
export class RequestLog {
  #entries: LogEntry[] = [];
  #nextIndex = 0;
  readonly #watchers = new Set<() => void>();

  /** Notes a request that has been received. */
  open(request: ServiceRequest, key: KeyVerdict, fault: number | null): LogEntry {
    const { authorization: _key, ...headers } = request.headers;
    const entry: LogEntry = {
      index: this.#nextIndex,
      time: new Date().toISOString(),
      method: request.method,
      path: request.path,
      query: masked([...request.query]),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      key,
      form: masked([...request.form]),
      json: masked(Object.entries(request.json)),
      fault,
      answered: false,
      status: null,
      committed: false,
    };
    this.#nextIndex += 1;
    this.#entries.push(entry);
    this.#tell();
    return entry;
  }

  /** Notes that a request has come further. */
  note(entry: LogEntry, progress: Partial<Pick<LogEntry, "answered" | "status" | "committed">>): void {
    Object.assign(entry, progress);
    this.#tell();
  }

  entries(): readonly LogEntry[] {
    return this.#entries;
  }

  /** The index that the next request will have. */
  mark(): number {
    return this.#nextIndex;
  }

  clear(): void {
    this.#entries = [];
  }

  /** Resolves with the requests waited for, or, when time is up or the signal given, with the fewer there are. */
  waitFor(wait: Wait, signal: AbortSignal): Promise<LogEntry[]> {
    const found = () => this.#entries.filter((entry) => isMeant(wait, entry));
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#watchers.delete(look);
        signal.removeEventListener("abort", end);
        resolve(found());
      };
      const look = () => {
        if (found().length >= (wait.count ?? 1)) end();
      };
      const timer = setTimeout(end, wait.timeoutMs ?? 10_000);
      this.#watchers.add(look);
      signal.addEventListener("abort", end);
      look();
    });
  }

  #tell(): void {
    for (const look of [...this.#watchers]) look();
  }
}

function isMeant({ method, path, status, phase = "received", since = 0 }: Wait, entry: LogEntry): boolean {
  return (
    entry.index >= since &&
    (method === undefined || method.toUpperCase() === entry.method) &&
    (path === undefined || isPath(path, entry.path)) &&
    (status === undefined || status === entry.status) &&
    (phase === "received" || entry[phase])
  );
}

function masked<T>(fields: readonly (readonly [string, T])[]): Record<string, T | string> {
  return Object.fromEntries(fields.map(([name, value]) => [name, secretFields.has(name) ? mask : value]));
}
