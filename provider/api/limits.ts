import type { Endpoint } from "../config";
import { CircuitBreaker } from "./circuit-breaker";
import { RateLimiter } from "./rate-limiter";
import { RejectedKey } from "./rejected-key";

/** Limits shared by all requests of a process to one origin. */
const limitsByOrigin = new Map<string, { rateLimiter: RateLimiter; breaker: CircuitBreaker }>();

/** The keys of a process, each for one service. */
const rejectedKeys = new Map<string, RejectedKey>();

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
  const warn = (text: string) => log(`${origin}: ${text}`);
  const limits = limitsByOrigin.get(origin) ?? {
    rateLimiter: new RateLimiter({ requestsPerMinute, warn }),
    breaker: new CircuitBreaker(),
  };
  limitsByOrigin.set(origin, limits);
  const name = `${service} ${account}`;
  const rejectedKey = rejectedKeys.get(name) ?? new RejectedKey();
  rejectedKeys.set(name, rejectedKey);
  return { ...limits, rejectedKey };
}
