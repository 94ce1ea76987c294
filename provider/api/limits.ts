import type { Endpoint } from "../config";
import { CircuitBreaker } from "./circuit-breaker";
import { RateLimiter } from "./rate-limiter";

/** Limits shared by all requests of a process to one origin. */
const limitsByOrigin = new Map<string, { rateLimiter: RateLimiter; breaker: CircuitBreaker }>();

/**
 * Services at one origin share their limits.
 *
 * @param log takes a line for people
 */
export function limitsFor(
  { baseUrl, requestsPerMinute }: Pick<Endpoint, "baseUrl" | "requestsPerMinute">,
  log: (text: string) => void,
) {
  const { origin } = new URL(baseUrl);
  const warn = (text: string) => log(`${origin}: ${text}`);
  const limits = limitsByOrigin.get(origin) ?? {
    rateLimiter: new RateLimiter({ requestsPerMinute, warn }),
    breaker: new CircuitBreaker(),
  };
  limitsByOrigin.set(origin, limits);
  return limits;
}
