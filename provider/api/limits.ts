import type { Endpoint } from "../config";
import type { ApiError } from "./api";
import { CircuitBreaker } from "./circuit-breaker";
import { RateLimiter } from "./rate-limiter";

/** What all requests of a process to one origin share. */
interface Limits {
  readonly rateLimiter: RateLimiter;
  readonly breakers: { readonly reads: CircuitBreaker; readonly writes: CircuitBreaker };
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
  const warn = (text: string) => log(`${origin}: ${text}`);
  const limits = limitsByOrigin.get(origin) ?? {
    rateLimiter: new RateLimiter(warn),
    breakers: { reads: new CircuitBreaker("reads"), writes: new CircuitBreaker("writes") },
  };
  if (requestsPerMinute !== undefined) limits.rateLimiter.allow(requestsPerMinute);
  limitsByOrigin.set(origin, limits);
  const name = `${service} ${account}`;
  const lastAnswer = lastAnswers.get(name) ?? { error: undefined, at: 0 };
  lastAnswers.set(name, lastAnswer);
  return { ...limits, lastAnswer };
}
