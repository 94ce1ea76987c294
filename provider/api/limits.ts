import type { Endpoint } from "../config";
import type { ApiError, Request } from "./api";
import { CircuitBreaker } from "./circuit-breaker";
import { RateLimiter, type Sent } from "./rate-limiter";

/** A service that has refused all requests for so many milliseconds probably refuses them whatever the pace. */
const LONG_MS = 20_000;

/** What all requests of a process to one origin share: when the next one leaves, and whether the service accepts reads, and writes. */
export class Limits {
  readonly rateLimiter: RateLimiter;
  private readonly reads = new CircuitBreaker("reads");
  private readonly writes = new CircuitBreaker("writes");

  constructor(warn: (text: string) => void) {
    this.rateLimiter = new RateLimiter(warn);
  }

  /** The breaker of requests like this one. */
  breakerOf({ method }: Pick<Request, "method">): CircuitBreaker {
    return method === "GET" ? this.reads : this.writes;
  }

  /** Whether the service has ever accepted a request. */
  get hasAccepted(): boolean {
    return this.reads.hasAccepted || this.writes.hasAccepted;
  }

  /**
   * The service has accepted a request, or, as a look shows, done one that it seemed to refuse.
   *
   * @param remaining how many more it will accept, if it says so
   */
  accepted(request: Request, sent: Sent, remaining?: number): void {
    this.rateLimiter.accepted(sent, remaining);
    this.breakerOf(request).succeeded(performance.now());
  }

  /** Whether a slower pace may help: not if the service has never accepted a read, or a write, and refuses all for long. */
  mayPaceHelp(request: Pick<Request, "method">): boolean {
    const breaker = this.breakerOf(request);
    return breaker.hasAccepted || (this.hasAccepted && breaker.refusedAllFor(performance.now()) < LONG_MS);
  }
}

const limitsByOrigin = new Map<string, Limits>();

/** How the last answer with a key failed, if it did, and when it came, by the service and the account of the key. */
const lastAnswers = new Map<string, { error: ApiError | undefined; at: number }>();

/**
 * Services at one origin share their limits, but not whether a key works.
 *
 * @param log takes a line for people
 */
export function limitsFor(
  { service, account, baseUrl, requestsPerMinute }: Endpoint,
  log: (text: string) => void,
) {
  const { origin } = new URL(baseUrl);
  const limits = limitsByOrigin.get(origin) ?? new Limits((text) => log(`${origin}: ${text}`));
  if (requestsPerMinute !== undefined) limits.rateLimiter.allow(requestsPerMinute);
  limitsByOrigin.set(origin, limits);
  const name = `${service} ${account}`;
  const lastAnswer = lastAnswers.get(name) ?? { error: undefined, at: 0 };
  lastAnswers.set(name, lastAnswer);
  return { limits, lastAnswer };
}
