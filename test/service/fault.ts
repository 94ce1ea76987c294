import type { Json } from "../../emulator/service/response";

/** Which requests a fault is for. Omitted parts match every request. */
export interface RequestMatch {
  /** In capitals, such as `POST`. */
  method?: string;
  /** The whole path, or its beginning followed by `*`. */
  path?: string;
  /** Values that the request's fields must have, whether sent in the form, as JSON or in the query. */
  field?: Record<string, string>;
}

/**
 * The name of a reply. The service's own answer, whole or in part:
 * - `ok`: as it is.
 * - `close`: as it is, promising to keep the connection alive and then closing it.
 * - `truncate`: the head and half of the body, then the connection is destroyed.
 * - `half-headers`: the status line and half a header, then the connection is destroyed.
 * - `trickle`: one byte of the body every `byteMs`.
 * - `reset`: not a byte; the connection is reset (RST).
 * - `hang-up`: not a byte; the connection is closed (FIN).
 * - `stall`: not a byte, until the client or the service closes.
 *
 * Something else:
 * - `reset-unread`: the connection is reset before the body is read.
 * - `html`: an HTML page with `status`.
 * - `endless`: JSON that never ends.
 * - `gzip-bomb`: a few megabytes of gzip that grow to a gigabyte.
 */
export type ReplyName =
  | ("ok" | "close" | "truncate" | "half-headers" | "trickle" | "reset" | "hang-up" | "stall")
  | ("reset-unread" | "html" | "endless" | "gzip-bomb");

/** A response instead of the service's own. */
export interface ReplyInstead {
  /** 200 by default. */
  status?: number;
  /** These replace headers of the same name, in any case. */
  headers?: Record<string, string>;
  /** Text is sent as it is, as HTML unless `headers` say otherwise; all else is sent as JSON. */
  body?: Json;
}

export type FaultReply = ReplyName | ReplyInstead;

/** A fault of the service. */
export interface Fault {
  /** The requests it applies to. */
  match: RequestMatch & {
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
  /** With `reply: "trickle"`: milliseconds between two bytes; 1000 by default. */
  byteMs?: number;
  /** With `reply: "html"`: the status; 200 by default. */
  status?: number;
}
