import { matchesPath } from "../faults/faults";
import type { KeyVerdict } from "../service/keys";
import type { ServiceRequest } from "../service/request";
import type { LogEntry, Wait } from "./log-entry";

const secretFields = new Set(["password", "api_key"]);
const mask = "***";

/** The log of requests. A waiting client is answered as soon as enough requests reach its phase. */
export class RequestLog {
  #entries: LogEntry[] = [];
  #nextIndex = 0;
  readonly #watchers = new Set<() => void>();

  /** Records a received request. */
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
    this.#notify();
    return entry;
  }

  /** Records a request's next phase. */
  note(entry: LogEntry, progress: Partial<Pick<LogEntry, "answered" | "status" | "committed">>): void {
    Object.assign(entry, progress);
    this.#notify();
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

  /** Resolves with the requested entries or, when time is up or the signal is given, with those so far. */
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

  #notify(): void {
    for (const look of [...this.#watchers]) look();
  }
}

function isMeant({ method, path, status, phase = "received", since = 0 }: Wait, entry: LogEntry): boolean {
  return (
    entry.index >= since &&
    (method === undefined || method.toUpperCase() === entry.method) &&
    (path === undefined || matchesPath(path, entry.path)) &&
    (status === undefined || status === entry.status) &&
    (phase === "received" || entry[phase])
  );
}

function masked<T>(fields: readonly (readonly [string, T])[]): Record<string, T | string> {
  return Object.fromEntries(fields.map(([name, value]) => [name, secretFields.has(name) ? mask : value]));
}
