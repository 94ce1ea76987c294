import { ApiError, type ErrorDetails, type Request } from "./api";

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
  /** For how many milliseconds it has refused all since then, and when the latest of these was sent. */
  refusedFor = 0;
  private refusedAt: number | undefined;
  /** When the latest of these was refused. */
  private knownAt = 0;
  private failures = 0;
  private openUntil = 0;
  private reason: { readonly what: string; readonly details: ErrorDetails } | undefined;

  constructor(
    private readonly origin: string,
    private readonly kind: "reads" | "writes",
  ) {}

  /** The service has accepted a request. */
  succeeded(now: number): void {
    this.acceptedAt = now;
    this.refusedFor = 0;
    this.refusedAt = undefined;
    this.failures = 0;
    this.openUntil = 0;
  }

  /** It has refused a request. Time in which nothing is asked for does not count: a second refusal an hour later has lasted for no hour. */
  refused(askedAt: number, sentAt: number, now: number): void {
    const before = this.refusedAt ?? sentAt;
    const idle = Math.max(0, askedAt - Math.max(before, this.knownAt));
    this.refusedFor += Math.max(0, sentAt - before - idle);
    this.refusedAt = Math.max(before, sentAt);
    this.knownAt = now;
  }

  /** One came to nothing while no other was in flight. */
  failed(now: number, error: ApiError): void {
    this.failures += 1;
    if (this.failures >= FAILURE_THRESHOLD)
      this.open(now, error, `none of the last ${this.failures} ${this.kind} succeeded`);
  }

  /** Stops them for a while. After that, one more failure stops them again. */
  open(now: number, error: ApiError, why = `${this.origin} refuses all ${this.kind}`): void {
    const { what, details } = error;
    this.openUntil = now + COOL_DOWN_MS;
    this.reason = {
      what: `${why}: ${what}`,
      details: { likelyCause: details.likelyCause, advice: WHEN_BACK },
    };
  }

  /** Returns the reason why nothing may be sent now, or undefined. */
  refusal(now: number, request: Request): ApiError | undefined {
    if (now >= this.openUntil || this.reason === undefined) return undefined;
    return new ApiError(request, "unsent", this.reason.what, this.reason.details);
  }
}
