import { type ServiceRequest, sentField } from "../../emulator/service/request";
import { htmlPage, type Json, type ServiceResponse } from "../../emulator/service/response";

/**
 * The name of a reply, which is the service's own answer, or a part of it:
 * - `ok`: as it is.
 * - `close`: as it is, promising to keep the connection alive and then closing it.
 * - `truncate`: the head and half of the body, then the connection is destroyed.
 * - `half-headers`: the status line and half a header, then the connection is destroyed.
 * - `trickle`: one byte of the body at a time, each after `delay`.
 * - `reset`: not a byte; the connection is reset (RST).
 * - `hang-up`: not a byte; the connection is closed (FIN).
 * - `stall`: not a byte, until the client or the service closes.
 * - `endless`: instead of it, JSON that never ends.
 * - `gzip-bomb`: the same, packed to a hundredth.
 */
export type ReplyName =
  | ("ok" | "close" | "truncate" | "half-headers" | "trickle" | "reset" | "hang-up" | "stall")
  | ("endless" | "gzip-bomb");

/**
 * A reply by its name, or a response instead of the service's own: by default 200 without a body. Text is sent as it
 * is, as HTML unless `headers` say otherwise; all else is sent as JSON.
 */
export type FaultReply = ReplyName | (Partial<Omit<ServiceResponse, "body">> & { body?: Json });

/** A page for people, where an answer to a program is due. */
export const page = (status = 200): FaultReply => ({ status, body: htmlPage("Log in") });

/** A fault of the service. */
export interface Fault {
  /** The requests it applies to. Omitted parts match every request. */
  match: {
    /** In capitals, such as `POST`. */
    method?: string;
    /** The whole path, or its beginning followed by `*`. */
    path?: string;
    /** Values that the request's fields must have, whether sent in the form, as JSON or in the query. */
    field?: Record<string, string>;
    /** The first matching request it applies to, counted from 1 (default) since the fault was added. */
    nth?: number;
    /** How many it applies to from there on: 1 by default, 0 for all. */
    times?: number;
  };
  /**
   * When the operation is performed, seen from the reply:
   * - `normal` (default): before it, unless it is not the service's own answer; then never.
   * - `before`: before it, whatever it is.
   * - `late`: on `releaseLate()`. Its conditions (is the name taken?) were checked on arrival, so it may create a
   *   duplicate.
   * - `never`: not at all, though the reply may say so.
   */
  commit?: "normal" | "before" | "late" | "never";
  /** `ok` by default. */
  reply?: FaultReply;
  /** Milliseconds between the operation and the reply; 0 by default. */
  delay?: number;
}

/** The active faults, in the order they were added. */
export class Faults {
  #active: { fault: Fault; matched: number; struck: number }[] = [];

  add(fault: Fault): void {
    this.#active.push({ fault, matched: 0, struck: 0 });
  }

  clear(): void {
    this.#active = [];
  }

  /** The fault to apply to this request: the first that matches and is due. Every matching fault counts it. */
  take(request: ServiceRequest): Fault | undefined {
    const matching = this.#active.filter(({ fault }) => matches(fault, request));
    for (const active of matching) active.matched += 1;
    const struck = matching.find(({ fault, matched, struck }) => {
      const { nth = 1, times = 1 } = fault.match;
      return matched >= nth && (times === 0 || struck < times);
    });
    if (struck !== undefined) struck.struck += 1;
    return struck?.fault;
  }
}

function matches({ match: { method, path, field = {} } }: Fault, request: ServiceRequest): boolean {
  return (
    (method === undefined || method === request.method) &&
    (path === undefined ||
      path === request.path ||
      (path.endsWith("*") && request.path.startsWith(path.slice(0, -1)))) &&
    Object.entries(field).every(([name, value]) => String(sentField(request, name)) === value)
  );
}
