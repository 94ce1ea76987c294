import { type RateLimit, RateLimiter, rateLimitHeaders } from "../../emulator/service/rate-limit";

/** What stands in front of a service, and takes only some of the requests. Times are in milliseconds. */
export interface Limiter {
  /** Takes a request, and says how long it has to wait; or turns it away at once. */
  admit(now: number, asked: Asked): Admission | Refusal;
  /** A request that was taken is answered. */
  leave(): void;
}
interface Asked {
  readonly method: string;
  readonly path: string;
}
type Headers = Readonly<Record<string, string>>;
interface Admission {
  readonly waits: number;
  /** What is answered in place of the service's own answer. */
  readonly answers?: Refusal;
  readonly headers?: Headers;
}
export interface Refusal {
  readonly status: number;
  readonly headers?: Headers;
}

const taken = { waits: 0 };
const leave = () => {};

/** Takes all but those that it is told to refuse. */
export function refuses(isRefused: (now: number, asked: Asked) => boolean, refusal: Refusal): Limiter {
  return { admit: (now, asked) => (isRefused(now, asked) ? refusal : taken), leave };
}

/** Takes all, but gives up on the answers of some: they come to nothing, though the service does what they ask. */
export function givesUp(isLost: (asked: Asked) => boolean, answers: Refusal): Limiter {
  return { admit: (_, asked) => (isLost(asked) ? { ...taken, answers } : taken), leave };
}

export const noLimit: Limiter = { admit: () => taken, leave };

/** nginx's `limit_conn`: so many at a time. Its status is 503 unless `limit_conn_status` says otherwise. */
export function limitConn(most: number, refusal: Refusal): Limiter {
  let inFlight = 0;
  return {
    admit: () => {
      if (inFlight >= most) return refusal;
      inFlight += 1;
      return taken;
    },
    leave: () => {
      inFlight -= 1;
    },
  };
}

/**
 * nginx's `limit_req`: one each `interval`. Of those that come sooner, `burst` wait, the first `delay` of them for nothing, and the
 * others are turned away.
 */
export function limitReq(interval: number, burst: number, refusal: Refusal, delay = 0): Limiter {
  let excess = 0;
  let last = Number.NEGATIVE_INFINITY;
  return {
    admit: (now) => {
      const next = Math.max(0, excess + 1 - (now - last) / interval);
      if (next > burst) return refusal;
      excess = next;
      last = now;
      return { waits: Math.max(0, next - delay) * interval };
    },
    leave,
  };
}

/** nginx's `limit_req` with `nodelay`: so many at once, and one more each `interval`. */
export function limitReqNoDelay(interval: number, atOnce: number, refusal: Refusal): Limiter {
  return limitReq(interval, atOnce - 1, refusal, atOnce);
}

/** A limiter that an earlier command has sent so many requests. */
export function usedUp(limiter: Limiter, requests: number): Limiter {
  let isUsed = false;
  return {
    ...limiter,
    admit: (now, asked) => {
      for (let sent = isUsed ? requests : 0; sent < requests; sent += 1) limiter.admit(now, asked);
      isUsed = true;
      return limiter.admit(now, asked);
    },
  };
}

/** Refuses all while the service is started again: so long after the first one, and for so long. Otherwise a limiter decides. */
export function restarts(after: number, lasts: number, refusal: Refusal, limiter = noLimit): Limiter {
  let first: number | undefined;
  return {
    ...limiter,
    admit: (now, asked) => {
      first ??= now;
      return now - first > after && now - first <= after + lasts ? refusal : limiter.admit(now, asked);
    },
  };
}

/** Laravel's throttle: so many in a window. It says what is left, and when the window ends. */
export function throttle(limit: RateLimit): Limiter {
  const limiter = new RateLimiter();
  return {
    admit: (now) => {
      const allowance = limiter.admit("", limit, now);
      const headers = rateLimitHeaders(allowance);
      return allowance.retryAfter === undefined ? { waits: 0, headers } : { status: 429, headers };
    },
    leave,
  };
}

/** Says only how long to wait. */
export function retryAfterAlone(limiter: Limiter): Limiter {
  return {
    ...limiter,
    admit: (now, asked) => {
      const { headers = {}, ...answer } = limiter.admit(now, asked);
      const { "Retry-After": after } = headers;
      return after === undefined ? answer : { ...answer, headers: { "Retry-After": after } };
    },
  };
}

/** So many within the time before, in which it also counts those that it turned away. It says nothing. */
export function slidingWindow(requests: number, seconds: number): Limiter {
  const counted: number[] = [];
  return {
    admit: (now) => {
      while (counted[0] !== undefined && counted[0] <= now - seconds * 1000) counted.shift();
      counted.push(now);
      return counted.length > requests ? { status: 429 } : taken;
    },
    leave,
  };
}

/** Says nothing of its limit. */
export function silent(limiter: Limiter): Limiter {
  return {
    ...limiter,
    admit: (now, asked) => {
      const { headers: _, ...answer } = limiter.admit(now, asked);
      return answer;
    },
  };
}

/** PHP's workers: so many at a time, each for so long, and all others wait. */
export function workers(most: number, takes: number): Limiter {
  const free = Array.from({ length: most }, () => 0);
  return {
    admit: (now) => {
      const soonest = Math.min(...free);
      const begins = Math.max(now, soonest);
      free[free.indexOf(soonest)] = begins + takes;
      return { waits: begins - now };
    },
    leave,
  };
}

/** Turns away this share of the requests by chance, whatever the pace, the same ones each time. */
export function byChance(share: number, refusal: Refusal, seed = 1): Limiter {
  let state = seed;
  return {
    admit: () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32 < share ? refusal : taken;
    },
    leave,
  };
}
