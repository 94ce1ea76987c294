import type { LogEntry } from "./log-entry";

/** How many requests reached each phase. */
export interface Count {
  /** Read completely. */
  received: number;
  /** Replied to, complete or cut off. */
  answered: number;
  /** Performed: the store was changed. */
  committed: number;
  /** Answered with 429. */
  throttled: number;
}

/** The requests in the log, all together and by route, such as `PUT /api/v1/websites/{id}`. */
export interface Counters extends Count {
  /** By method and path. */
  routes: Record<string, Count>;
}

/** Counts the log. */
export function countersOf(entries: readonly LogEntry[]): Counters {
  const routes: Record<string, Count> = {};
  for (const name of new Set(entries.map(routeOf)))
    routes[name] = count(entries.filter((entry) => routeOf(entry) === name));
  return { ...count(entries), routes };
}

function count(entries: readonly LogEntry[]): Count {
  return {
    received: entries.length,
    answered: entries.filter(({ answered }) => answered).length,
    committed: entries.filter(({ committed }) => committed).length,
    throttled: entries.filter(({ status }) => status === 429).length,
  };
}

function routeOf({ method, path }: LogEntry): string {
  return `${method} ${path.replace(/\/\d+$/, "/{id}")}`;
}
