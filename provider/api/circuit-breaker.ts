import type { ApiError, ErrorDetails } from "./api";

/** After this many failures in a row, each while no other request was in flight, the service counts as dead. */
const FAILURE_THRESHOLD = 12;
/** How long nothing is sent to it then, in milliseconds. */
const COOL_DOWN_MS = 10_000;

/** What to do about a service that accepts nothing. */
export const WHEN_BACK = "run the same command again when the service is back";

/**
 * Stops all reads, or all writes, of a process to a service that accepts none: one that is read-only for an hour accepts each
 * read, which says nothing of the writes. It has no clock: callers pass times in milliseconds.
 */
export class CircuitBreaker {
  /** When the service has accepted the latest one, if ever. */
  acceptedAt = Number.NEGATIVE_INFINITY;
  private failures = 0;
  /** How many requests are in flight or wait, and since when none is. */
  private pending = 0;
  private idleSince = 0;
  /** Since when it has refused all. */
  private refusedSince = Number.POSITIVE_INFINITY;
  private openUntil = 0;
  private reason: { readonly what: string; readonly details: ErrorDetails } | undefined;

  constructor(private readonly kind: "reads" | "writes") {}

  /** A request is asked for. While none is, nothing is refused: a second refusal an hour later has lasted for no hour. */
  begins(now: number): void {
    if (this.pending === 0) this.refusedSince += now - this.idleSince;
    this.pending += 1;
  }

  /** A request has its answer, or will not be sent. */
  ends(now: number): void {
    this.pending -= 1;
    this.idleSince = now;
  }

  /** The service has accepted a request. */
  succeeded(now: number): void {
    this.acceptedAt = now;
    this.failures = 0;
    this.refusedSince = Number.POSITIVE_INFINITY;
    this.openUntil = 0;
  }

  /** Whether the service has ever accepted one. */
  get hasAccepted(): boolean {
    return this.acceptedAt > Number.NEGATIVE_INFINITY;
  }

  /** It has refused one that was sent then. */
  refused(at: number): void {
    this.refusedSince = Math.min(this.refusedSince, at);
  }

  /** For how many milliseconds it has refused all. */
  refusedAllFor(now: number): number {
    return Math.max(0, now - this.refusedSince);
  }

  /** One came to nothing while no other was in flight. */
  failed(now: number, error: ApiError): void {
    this.failures += 1;
    if (this.failures >= FAILURE_THRESHOLD)
      this.open(now, error, `: none of the last ${this.failures} ${this.kind} succeeded`);
  }

  /** Stops them for a while. */
  open(now: number, { what, details }: ApiError, why = ` refuses all ${this.kind}`): void {
    this.openUntil = now + COOL_DOWN_MS;
    this.reason = {
      what: `${why}: ${what}`,
      details: { likelyCause: details.likelyCause, advice: WHEN_BACK },
    };
  }

  /**
   * Returns the reason why nothing may be sent now, or undefined. After the pause, one more failure stops requests again.
   *
   * @param address the service's, for the message
   */
  refusal(
    now: number,
    address: string,
  ): { readonly what: string; readonly details: ErrorDetails } | undefined {
    if (now >= this.openUntil || this.reason === undefined) return undefined;
    const { what, details } = this.reason;
    return { what: `${address}${what}`, details };
  }
}
