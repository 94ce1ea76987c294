import type { ServiceRequest } from "../../emulator/service/request";
import type { Json } from "../../emulator/service/response";
import { matchesPath } from "./faults";
import type { KeyVerdict } from "./keys";

/** One request to the service, without key and password. */
export interface LogEntry {
  /** Counts from 0 for the life of the service, also when the log is cleared. */
  index: number;
  method: string;
  /** As sent, without the query. */
  path: string;
  query: Record<string, string>;
  /** Names are in lower case; `authorization` is omitted. */
  headers: Record<string, string>;
  key: KeyVerdict;
  /** Empty if the body is no form. */
  form: Record<string, string>;
  /** Empty if the body is no JSON object. */
  json: Record<string, Json>;
  /** Whether a reply has gone out, complete or cut off. */
  answered: boolean;
  /** The status that went out; null when none did. */
  status: number | null;
  /** Whether it changed the store. */
  committed: boolean;
}

/** Which requests to wait for. */
export interface Wait {
  method?: string;
  /** The whole path, or its beginning followed by `*`. */
  path?: string;
  /** How many; 1 by default. */
  count?: number;
  /** What they have reached; `received` by default. */
  phase?: "received" | "answered" | "committed";
  /** Only requests from this index on, as `mark()` gives it; all that the log holds by default. */
  since?: number;
  /** In milliseconds; 10,000 by default. */
  timeoutMs?: number;
}

const secretFields = new Set(["password", "api_key"]);

/** The requests so far. Who waits is answered as soon as enough of them reach the phase. */
export class RequestLog {
  entries: LogEntry[] = [];
  /** The index that the next request will have. */
  nextIndex = 0;
  readonly #watchers = new Set<() => void>();

  /** Records a received request. */
  open(request: ServiceRequest, key: KeyVerdict): LogEntry {
    const { authorization: _key, ...headers } = request.headers;
    const entry: LogEntry = {
      index: this.nextIndex,
      method: request.method,
      path: request.path,
      query: masked([...request.query]),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      key,
      form: masked([...request.form]),
      json: masked(Object.entries(request.json)),
      answered: false,
      status: null,
      committed: false,
    };
    this.nextIndex += 1;
    this.entries.push(entry);
    this.#notify();
    return entry;
  }

  /** Records a request's next phase. */
  note(entry: LogEntry, progress: Partial<Pick<LogEntry, "answered" | "status" | "committed">>): void {
    Object.assign(entry, progress);
    this.#notify();
  }

  /** Resolves with the requests once enough arrived; rejects when time is up, and names what arrived. */
  waitFor(wait: Wait, closing: AbortSignal): Promise<LogEntry[]> {
    const { count = 1, phase = "received", timeoutMs = 10_000 } = wait;
    const found = () => this.entries.filter((entry) => isMeant(wait, entry));
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        this.#watchers.delete(look);
        closing.removeEventListener("abort", end);
        if (found().length >= count) return resolve(found());
        const meant = `${count} × ${wait.method ?? "any"} ${wait.path ?? "request"} to be ${phase}`;
        reject(new Error(`Waited in vain for ${meant}: ${found().length} arrived`));
      };
      const look = () => {
        if (found().length >= count) end();
      };
      const timer = setTimeout(end, timeoutMs);
      this.#watchers.add(look);
      closing.addEventListener("abort", end);
      look();
    });
  }

  #notify(): void {
    for (const look of [...this.#watchers]) look();
  }
}

function isMeant({ method, path, phase = "received", since = 0 }: Wait, entry: LogEntry): boolean {
  return (
    entry.index >= since &&
    (method === undefined || method.toUpperCase() === entry.method) &&
    (path === undefined || matchesPath(path, entry.path)) &&
    (phase === "received" || entry[phase])
  );
}

function masked<T>(fields: readonly (readonly [string, T])[]): Record<string, T | string> {
  return Object.fromEntries(fields.map(([name, value]) => [name, secretFields.has(name) ? "***" : value]));
}
