import type { Endpoint } from "../config";
import { judge } from "./answer";
import { type Answer, type Api, ApiError, type Request, UnexpectedAnswer } from "./api";
import { Budget } from "./budget";
import { Gate } from "./gate";
import { attempt, Lost } from "./http";
import { keepSecret } from "./redact";
import { type Attempt, decide, throttled } from "./retry";

/** Where lines for people go, and where lines for those who look for a fault. */
export interface Voice {
  say(text: string): void;
  debug(text: string): void;
}

/** Opens the way to a service. Nothing is sent yet. */
export function connect(endpoint: Endpoint, voice: Voice): Api {
  keepSecret(endpoint.key);
  const { gate, budget } = wayTo(endpoint, voice);
  return persist;

  async function persist(request: Request): Promise<Answer> {
    for (let count = 1; ; count += 1) {
      const tried = await gate.pass(() => once(request, count));
      if ("answer" in tried) return tried.answer;
      const attempt = {
        ...tried,
        method: request.repeatable ? "GET" : request.method,
        count,
        now: Date.now(),
      } as const;
      const decision = decide({ ...attempt, maxWait: endpoint.maxWait }, Math.random());
      const isThrottled = throttled(attempt);
      if (isThrottled && !budget.throttled(attempt.now)) throw tried.error;
      if ("stop" in decision)
        throw decision.tooLong === undefined ? tried.error : tooLong(tried.error, decision.tooLong);
      if (!isThrottled && !budget.spend()) throw tried.error;
      if (isThrottled) gate.pause(decision.wait);
      else await new Promise((resolve) => setTimeout(resolve, decision.wait));
    }
  }

  async function once(request: Request, count: number): Promise<Tried> {
    const started = Date.now();
    const refusal = budget.refusal(started);
    if (refusal !== undefined)
      return {
        error: new ApiError(request, "unsent", `${endpoint.baseUrl}: ${refusal}`),
        outcome: "untrusted",
      };
    const log = (outcome: number | string) => {
      if (endpoint.debug)
        voice.debug(
          `${request.method} ${endpoint.baseUrl}${request.path} ${outcome} ${Date.now() - started} ms, attempt ${count}`,
        );
    };
    try {
      const { dressed, headers } = dress(request, endpoint);
      const arrival = await attempt(dressed, { ...endpoint, headers });
      log(arrival.status);
      const retryAfter = arrival.headers["retry-after"];
      const isThrottled = throttled({ outcome: arrival.status, retryAfter, now: Date.now() });
      // One by one, until it takes requests again.
      gate.learn(isThrottled ? 0 : remaining(arrival.headers["x-ratelimit-remaining"]));
      if (arrival.status >= 500 && !isThrottled) budget.failed(Date.now());
      else if (!isThrottled) budget.answered();
      try {
        const url = endpoint.baseUrl + request.path;
        const source = { url, setting: endpoint.named.baseUrl };
        return { answer: { ...judge({ ...request, path: url }, arrival), source } };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const outcome = arrival.status;
        return {
          error: remedied(astray(request, error), endpoint),
          outcome,
          retryAfter,
        };
      }
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      log(error.outcome);
      budget.failed(Date.now());
      const reason = `${endpoint.baseUrl}: ${error.message}`;
      if (error.outcome === "too-large")
        return { error: new ApiError(request, "unclear", reason), outcome: 200 };
      if (error.outcome === "lost")
        return { error: new ApiError(request, "unclear", reason), outcome: "lost" };
      const unsent = new ApiError(request, "unsent", reason, { suspect: "baseUrl" });
      return { error: remedied(unsent, endpoint), outcome: error.outcome };
    }
  }

  function tooLong(error: ApiError, wait: number): ApiError {
    const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;
    return new ApiError(
      error.request,
      "rejected",
      `${error.what}; it asks to wait ${seconds(wait)}, more than tracking:maxRetryWait allows (${seconds(endpoint.maxWait)})`,
      error.said,
    );
  }
}

/** What is not found where it must be is not missing: the address is wrong. */
function astray(request: Request, error: ApiError): ApiError {
  if (!request.fixed || error.failure !== "missing") return error;
  const what = `${error.what}; is the base URL right?`;
  return new ApiError(error.request, "rejected", what, { ...error.said, suspect: "baseUrl" });
}

/** The same failure, naming the setting that is probably wrong. */
function remedied(error: ApiError, { named }: Endpoint): ApiError {
  const { suspect, status = 0 } = error.said;
  if (suspect === undefined) return error;
  // A log-in page is where a wrong key leads to, and a wrong address.
  const isEither = suspect === "key" && status >= 300 && status < 400;
  const remedy = `check ${named[suspect]}${isEither ? ` and ${named.baseUrl}` : ""}`;
  const said = { ...error.said, place: named[suspect], remedy };
  return error instanceof UnexpectedAnswer
    ? new UnexpectedAnswer(error.request, error.what, said)
    : new ApiError(error.request, error.failure, error.what, said);
}

/** Puts the key where the service wants it: a header, or for the marketplace one more parameter. */
function dress(
  request: Request,
  { service, postParameters, key }: Endpoint,
): { dressed: Request; headers: Record<string, string> } {
  if (service !== "market") return { dressed: request, headers: { authorization: `Bearer ${key}` } };
  const { method, path, query, form } = request;
  const place = method === "GET" ? "query" : postParameters;
  return { dressed: { method, path, [place]: { api_key: key, ...query, ...form } }, headers: {} };
}

function remaining(header: string | undefined): number | undefined {
  return header !== undefined && /^\d+$/.test(header) ? Number(header) : undefined;
}

interface Way {
  readonly gate: Gate;
  readonly budget: Budget;
}
const ways = new Map<string, Way>();

/** Services at one origin share their limits. */
function wayTo({ baseUrl, requestsPerMinute }: Endpoint, voice: Voice): Way {
  const { origin } = new URL(baseUrl);
  const say = (text: string) => voice.say(`${origin}: ${text}`);
  const way = ways.get(origin) ?? { gate: new Gate({ requestsPerMinute, say }), budget: new Budget() };
  ways.set(origin, way);
  return way;
}

type Tried =
  | { readonly answer: Answer }
  | {
      readonly error: ApiError;
      readonly outcome: Attempt["outcome"];
      readonly retryAfter?: string | undefined;
    };
