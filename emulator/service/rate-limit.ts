/** How many requests a key may send in a window, which begins with the first of them. */
export interface RateLimit {
  /** Requests per window. */
  requests: number;
  /** Length of the window. */
  seconds: number;
}

/** What a request learns about the rate limit. */
export interface Allowance {
  limit: number;
  remaining: number;
  /** Set when the request is rejected: whole seconds to wait. */
  retryAfter?: number;
  /** Seconds since the epoch at which the window ends. */
  resetsAt: number;
}

/** Counts requests in fixed windows, one for each key. It has no clock: callers pass times in milliseconds. */
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
}

/** The rate limit's response headers. */
export function rateLimitHeaders({
  limit,
  remaining,
  retryAfter,
  resetsAt,
}: Allowance): Record<string, string> {
  const headers = { "X-RateLimit-Limit": String(limit), "X-RateLimit-Remaining": String(remaining) };
  if (retryAfter === undefined) return headers;
  return { ...headers, "Retry-After": String(retryAfter), "X-RateLimit-Reset": String(resetsAt) };
}
