import type { KeyVerdict } from "../service/keys";
import type { Json } from "../service/response";

/** One request to the service, as the log has it: without key and password. */
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
  /** Header names are in lower case; `authorization` is omitted. */
  headers: Record<string, string>;
  /** How the service judged its key. */
  key: KeyVerdict;
  /** The fields of a form; empty if the body is no form. */
  form: Record<string, string>;
  /** The members of a JSON body; empty if the body is no JSON object. */
  json: Record<string, Json>;
  /** Id of the fault that was applied; null for none. */
  fault: number | null;
  /** Whether a reply has gone out, complete or cut off. */
  answered: boolean;
  /** The status that went out; null when none did. */
  status: number | null;
  /** Whether it changed the store. */
  committed: boolean;
}

/** The phases of a request; see {@link Phase}. */
export const phases = ["received", "answered", "committed"] as const;
/**
 * The phase that a request has reached: read, replied to (complete or cut off), or performed (only if it changes
 * something).
 *
 * @useDeclaredType
 */
export type Phase = (typeof phases)[number];

/** Which requests to wait for. */
export interface Wait {
  /** Such as `POST`, in any case. */
  method?: string;
  /** The whole path, or its beginning followed by `*`. */
  path?: string;
  /** Only requests answered with this status. */
  status?: number;
  /** How many such requests; 1 by default. */
  count?: number;
  /** `received` by default. */
  phase?: Phase;
  /** Only requests from this index on, as `mark()` gives it; all that the log holds by default. */
  since?: number;
  /** Timeout in milliseconds; 10,000 by default. */
  timeoutMs?: number;
}
