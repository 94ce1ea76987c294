import type { Endpoint } from "../config";
import type { ApiError } from "./api";
import { CircuitBreaker } from "./circuit-breaker";
import { RateLimiter } from "./rate-limiter";

/** What all requests of a process to one origin share: when the next one leaves, and whether the service accepts reads, and writes. */
export interface Limits {
  readonly rateLimiter: RateLimiter;
  readonly reads: CircuitBreaker;
  readonly writes: CircuitBreaker;
}

/** What all requests with one key share: how the service has rejected it, and until when it is not sent for that. */
export interface KeyUse {
  rejection?: ApiError | undefined;
  restsUntil: number;
}

const limitsByOrigin = new Map<string, Limits>();
/** By the service and the account of the key. */
const keyUses = new Map<string, KeyUse>();

/**
 * Services at one origin share their limits, but not whether a key works.
 *
 * @param warn takes a line for people
 */
export function limitsFor(
  { service, account, baseUrl, requestsPerMinute }: Endpoint,
  warn: (text: string) => void,
): { limits: Limits; keyUse: KeyUse } {
  const { origin } = new URL(baseUrl);
  const limits = limitsByOrigin.get(origin) ?? {
    rateLimiter: new RateLimiter((text) => warn(`${origin}: ${text}`)),
    reads: new CircuitBreaker("reads"),
    writes: new CircuitBreaker("writes"),
  };
  if (requestsPerMinute !== undefined) limits.rateLimiter.allow(requestsPerMinute);
  limitsByOrigin.set(origin, limits);
  const name = `${service} ${account}`;
  const keyUse = keyUses.get(name) ?? { restsUntil: 0 };
  keyUses.set(name, keyUse);
  return { limits, keyUse };
}
