import type { Endpoint } from "../config";
import type { ApiError } from "./api";
import { CircuitBreaker } from "./circuit-breaker";
import { RateLimiter } from "./rate-limiter";

/** What all requests of a process to one origin share: when the next one leaves, and whether the service accepts reads, and writes. */
export interface Limits {
  readonly rateLimiter: RateLimiter;
  readonly reads: CircuitBreaker;
  readonly writes: CircuitBreaker;
  /** How a key was rejected, and until when it is not sent again; by its service too, since one may take what another rejects. */
  readonly rejections: Map<string, { readonly error: ApiError; readonly until: number }>;
}

const limitsByOrigin = new Map<string, Limits>();

/** @param warn takes a line for people */
export function limitsFor({ baseUrl, requestsPerMinute }: Endpoint, warn: (text: string) => void): Limits {
  const { origin } = new URL(baseUrl);
  const limits = limitsByOrigin.get(origin) ?? {
    rateLimiter: new RateLimiter((text) => warn(`${origin}: ${text}`)),
    reads: new CircuitBreaker(origin, "reads"),
    writes: new CircuitBreaker(origin, "writes"),
    rejections: new Map(),
  };
  limitsByOrigin.set(origin, limits);
  if (requestsPerMinute !== undefined) limits.rateLimiter.allow(requestsPerMinute);
  return limits;
}
