import { type ServiceRequest, sentField } from "../service/request";
import type { Json } from "../service/response";

/** Which requests a fault is for. What is left out matches all. */
export interface RequestMatch {
  /** In capitals, such as `POST`. */
  method?: string;
  /** The whole path, or its beginning followed by `*`. */
  path?: string;
  /** Values that the request's fields must have, whether sent in the form, as JSON or in the query. */
  field?: Record<string, string>;
}

/** When an operation may be performed; see {@link CommitTime}. */
export const commitTimes = ["normal", "before", "after", "late", "never"] as const;
/**
 * When an operation is performed: `normal`, `before`, `after`, `late` or `never`. Seen from the reply:
 *
 * - `normal`: before it, unless it is not the service's own answer ({@link FaultReply}); then never.
 * - `before`: before it, whatever it is.
 * - `after`: as soon as it is through, or cut.
 * - `late`: on `releaseLate()`, or `lateMs` later. What the operation looks at (is the name taken?) was looked
 *   at on arrival, so it may make a twin.
 * - `never`: not at all, though the reply may say so.
 *
 * @useDeclaredType
 */
export type CommitTime = (typeof commitTimes)[number];

/** Names of the replies that need nothing more said; see {@link FaultReply}. */
export const replyNames = [
  "ok",
  "close",
  "truncate",
  "half-headers",
  "trickle",
  "reset",
  "reset-unread",
  "hang-up",
  "stall",
  "html",
  "endless",
  "gzip-bomb",
] as const;
/**
 * The name of a reply that needs nothing more said; see {@link FaultReply}.
 *
 * @useDeclaredType
 */
export type ReplyName = (typeof replyNames)[number];

/** An answer in place of the service's own. */
export interface ReplyInstead {
  /** 200 when left out. */
  status?: number;
  /** These replace headers of the same name, in any case. */
  headers?: Record<string, string>;
  /** Text is sent as it is, as HTML unless `headers` say otherwise; all else is sent as JSON. */
  body?: Json;
  /** Bytes for the wire in place of everything else, status line included. The connection ends after them. */
  raw?: string;
}

/**
 * What goes back.
 *
 * The service's own answer, whole or in part:
 * - `ok`: as it is.
 * - `close`: as it is, promising to keep the connection alive and then closing it.
 * - `truncate`: the head and half of the body, then the connection is destroyed.
 * - `half-headers`: the status line and half a header, then the connection is destroyed.
 * - `trickle`: one byte of the body every `byteMs`.
 * - `reset`: not a byte; the connection is reset (RST).
 * - `hang-up`: not a byte; the connection is closed (FIN).
 * - `stall`: not a byte, until the client or the emulator closes.
 *
 * Something else:
 * - `reset-unread`: the connection is reset before the body is read.
 * - `html`: an HTML page with `status`.
 * - `endless`: JSON that never ends.
 * - `gzip-bomb`: a few megabytes of gzip that grow to a gigabyte.
 * - an object: that answer.
 */
export type FaultReply = ReplyName | ReplyInstead;

/** One way in which the service misbehaves. */
export interface Fault {
  /** The requests that it is for. */
  match: RequestMatch & {
    /** The first matching request that it strikes, counted from 1 (default) since the fault was added. */
    nth?: number;
    /** How many it strikes from there on: 1 when left out, 0 for all. */
    times?: number;
  };
  /** `normal` when left out. */
  commit?: CommitTime;
  /** `ok` when left out. */
  reply?: FaultReply;
  /** Milliseconds between the operation and the reply; 0 when left out. */
  delay?: number;
  /** With `commit: "late"`: milliseconds until it is performed unasked. When left out, it waits to be released. */
  lateMs?: number;
  /** With `reply: "trickle"`: milliseconds between two bytes; 1000 when left out. */
  byteMs?: number;
  /** With `reply: "html"`: the status; 200 when left out. */
  status?: number;
}

/** A fault that was added, and what has become of it. */
export interface ActiveFault {
  /** Number of the fault. */
  id: number;
  /** As it was added. */
  fault: Fault;
  /** Requests that matched. */
  matched: number;
  /** Requests that it struck. */
  struck: number;
}

/** The faults that are set, in the order in which they were added. */
export class Faults {
  #active: ActiveFault[] = [];
  #lastId = 0;

  add(fault: Fault): number {
    this.#lastId += 1;
    this.#active.push({ id: this.#lastId, fault, matched: 0, struck: 0 });
    return this.#lastId;
  }

  all(): readonly ActiveFault[] {
    return this.#active;
  }

  clear(): void {
    this.#active = [];
  }

  /**
   * The fault that strikes this request: the first that matches and is due. Every one that matches counts it.
   *
   * @param unread whether the body is still to be read, which only `reset-unread` is about
   */
  take(request: ServiceRequest, unread: boolean): ActiveFault | undefined {
    const matching = this.#active.filter(
      ({ fault }) => (fault.reply === "reset-unread") === unread && matches(fault.match, request),
    );
    for (const each of matching) each.matched += 1;
    const struck = matching.find(isDue);
    if (struck !== undefined) struck.struck += 1;
    return struck;
  }
}

/** Whether a request is one of those meant. */
export function matches({ method, path, field }: RequestMatch, request: ServiceRequest): boolean {
  return (
    (method === undefined || method.toUpperCase() === request.method) &&
    (path === undefined || isPath(path, request.path)) &&
    Object.entries(field ?? {}).every(([name, value]) => String(sentField(request, name)) === value)
  );
}

/** Whether a path is the one meant, or begins as the one meant does where that ends with `*`. */
export function isPath(meant: string, path: string): boolean {
  return meant.endsWith("*") ? path.startsWith(meant.slice(0, -1)) : path === meant;
}

function isDue({ fault: { match }, matched, struck }: ActiveFault): boolean {
  const times = match.times ?? 1;
  return matched >= (match.nth ?? 1) && (times === 0 || struck < times);
}
