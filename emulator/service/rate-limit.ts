/** How many requests a key may send in so many seconds; the window begins with the first of them. */
export interface RateLimit {
  /** How many requests it takes. */
  requests: number;
  /** How long its window is. */
  seconds: number;
}

/** What a request learns about the rate limit. */
export interface Allowance {
  limit: number;
  remaining: number;
  /** Set when the request is turned away: whole seconds to wait. */
  retryAfter?: number;
  /** Seconds since the epoch at which the window ends. */
  resetsAt: number;
}

/** Counts requests in fixed windows, one for each key. Knows no clock: times are handed in, in milliseconds. */
export class RateLimiter {
  readonly #windows = new Map<string, { end: number; used: number }>();

  admit(key: string, limit: RateLimit, now: number): Allowance {
    const current = this.#windows.get(key);
    const window =
      current !== undefined && now < current.end ? current : { end: now + limit.seconds * 1000, used: 0 };
    this.#windows.set(key, window);
    const resetsAt = Math.ceil(window.end / 1000);
    if (window.used >= limit.requests) {
      const retryAfter = Math.max(1, Math.ceil((window.end - now) / 1000));
      return { limit: limit.requests, remaining: 0, retryAfter, resetsAt };
    }
    window.used += 1;
    return { limit: limit.requests, remaining: limit.requests - window.used, resetsAt };
  }

  /** Begins every window anew. */
  reset(): void {
    this.#windows.clear();
  }
}

/** The headers that tell of it. */
export function rateLimitHeaders({
  limit,
  remaining,
  retryAfter,
  resetsAt,
}: Allowance): Record<string, string> {
  const always = { "X-RateLimit-Limit": String(limit), "X-RateLimit-Remaining": String(remaining) };
  if (retryAfter === undefined) return always;
  return { ...always, "Retry-After": String(retryAfter), "X-RateLimit-Reset": String(resetsAt) };
}
