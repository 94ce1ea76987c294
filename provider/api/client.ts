import { setTimeout } from "node:timers/promises";
import type { Endpoint } from "../config";
import { type Api, ApiError, type Request, type Response, UnexpectedAnswer } from "./api";
import { send, TransportError } from "./http";
import { limitsFor } from "./limits";
import { registerSecret } from "./redact";
import { parseResponse, type RawResponse } from "./response";
import { type Attempt, askedWait, retryDecision, throttled } from "./retry";

/** How long a rejected key is not sent again, in milliseconds: a service may ban an address that goes on. */
const REJECTED_MS = 10_000;

/** Where lines for people go, and lines for debugging. */
export interface Logger {
  warn(text: string): void;
  debug(text: string): void;
}

/**
 * Connects to a service. Nothing is sent yet.
 *
 * @param signal ends every wait; a request in flight is completed
 */
export function createApi(endpoint: Endpoint, logger: Logger, signal?: AbortSignal): Api {
  registerSecret(endpoint.key);
  const { rateLimiter, breaker, lastAnswer } = limitsFor(endpoint, logger.warn);
  const cancelled = `${endpoint.baseUrl}: the run was cancelled before this was sent`;
  return sendWithRetries;

  async function sendWithRetries(request: Request): Promise<Response> {
    let last: ApiError | undefined;
    for (let count = 1; ; count += 1) {
      const turn = { isLook: request.method === "GET", isRepeated: count > 1, signal };
      const result = await rateLimiter
        .run(() => sendOnce(request, count), { ...turn, refusal: () => refusal(request) })
        .catch((error) => {
          throw signal?.aborted ? (last ?? new ApiError(request, "unsent", cancelled)) : error;
        });
      if ("answer" in result) return result.answer;
      await waitToRepeat(request, result, count);
      last = result.error;
    }
  }

  /** Waits until a failed request may be sent again. Throws its error if it may not. */
  async function waitToRepeat(request: Request, failed: FailedAttempt, count: number): Promise<void> {
    const method = request.idempotent ? "GET" : request.method;
    const isThrottled = throttled(failed);
    const pauses = isThrottled ? rateLimiter.throttled(failed.sentAt) : 0;
    const attempt = { ...failed, method, count: Math.max(count, pauses), maxWait: endpoint.maxWait };
    const decision = retryDecision(attempt, Math.random());
    if ("stop" in decision)
      throw decision.tooLong === undefined ? failed.error : tooLong(endpoint, failed.error, decision.tooLong);
    if (isThrottled) rateLimiter.pause(decision.wait);
    // A cancelled wait ends, and nothing more is sent.
    else await setTimeout(decision.wait, undefined, { signal }).catch(() => {});
    if (!decision.again) throw failed.error;
  }

  async function sendOnce(request: Request, count: number): Promise<AttemptResult> {
    const started = performance.now();
    request.onSend?.();
    const log = (outcome: number | string) => {
      if (endpoint.debug)
        logger.debug(
          `${request.method} ${endpoint.baseUrl}${request.path} ${outcome} ${Math.round(performance.now() - started)} ms, attempt ${count}`,
        );
    };
    try {
      const { authenticated, headers } = authenticate(request, endpoint);
      const raw = await send(authenticated, { ...endpoint, headers });
      log(raw.status);
      return read(request, raw, started);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      log(error.outcome);
      const { outcome, message, likelyCause } = error;
      const failure = outcome === "lost" || outcome === "too-large" ? "unclear" : "unsent";
      const failed = withHint(endpoint, new ApiError(request, failure, message, { likelyCause }));
      breaker.failed(performance.now(), failed);
      const { what, details } = failed;
      const named = new ApiError(request, failure, `${endpoint.baseUrl}: ${what}`, details);
      return { error: named, outcome, sentAt: started };
    }
  }

  /** Returns the reason why a request is not sent now, or undefined. */
  function refusal(request: Request): ApiError | undefined {
    const now = performance.now();
    const pause = breaker.refusal(now);
    if (pause !== undefined) {
      const what = `${endpoint.baseUrl}: ${pause.what}`;
      return withHint(endpoint, new ApiError(request, "unsent", what, pause.details));
    }
    const { error, at } = lastAnswer;
    if (error?.details.status === 401 && now < at + REJECTED_MS)
      return new ApiError(request, error.failure, error.what, error.details);
    return undefined;
  }

  /** The meaning of an answer, for the requests that follow too. */
  function read(request: Request, raw: RawResponse, sentAt: number): AttemptResult {
    const asked = askedWait(raw.headers, Date.now());
    const isThrottled = throttled({ outcome: raw.status, asked });
    const now = performance.now();
    // One by one, until the service accepts requests again.
    rateLimiter.update(isThrottled ? 0 : remaining(raw.headers["x-ratelimit-remaining"]));
    if (!isThrottled) rateLimiter.accepted(sentAt);
    if (raw.status < 500) breaker.succeeded();
    const url = endpoint.baseUrl + request.path;
    try {
      const source = { url, setting: endpoint.labels.baseUrl };
      const answer = { ...parseResponse(request, raw), source, askedAt: sentAt, answeredAt: now };
      lastAnswer.error = undefined;
      return { answer };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const failed = withHint(endpoint, blameBaseUrl(request, error), url);
      if (raw.status >= 500 && !isThrottled) breaker.failed(now, failed);
      Object.assign(lastAnswer, { error: failed, at: now });
      return { error: failed, outcome: raw.status, asked, sentAt };
    }
  }
}

/** The same failure, naming the address and the setting that is probably wrong. */
function withHint(
  { labels, keyRemedy, paceRemedy, proxy }: Endpoint,
  error: ApiError,
  url?: string,
): ApiError {
  const { likelyCause, status = 0 } = error.details;
  const isRedirect = status >= 300 && status < 400;
  // A wrong key leads to a log-in page, and so does a wrong address.
  const address =
    isRedirect && likelyCause === "key" ? `${labels.key} and ${labels.baseUrl}` : labels.baseUrl;
  const check = `check ${address}${isRedirect && proxy ? `, and ${proxy}` : ""}`;
  const remedies = {
    baseUrl: () => check,
    pace: paceRemedy,
    key: () => (isRedirect ? check : keyRemedy()),
    proxy: () => `check ${proxy ?? "HTTP_PROXY and HTTPS_PROXY"}`,
  };
  const remedy = likelyCause && remedies[likelyCause]();
  const details = { ...error.details, url, ...(remedy && { remedy }) };
  return error instanceof UnexpectedAnswer
    ? new UnexpectedAnswer(error.request, error.what, details)
    : new ApiError(error.request, error.failure, error.what, details);
}

/** The same failure, and how long the service asks to wait, in milliseconds, which is too long. */
function tooLong({ maxWait }: Endpoint, error: ApiError, wait: number): ApiError {
  const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;
  const what = `${error.what}; it asks to wait ${seconds(wait)}, more than tracking:maxRetryWait allows (${seconds(maxWait)})`;
  const { remedy: _slower, ...details } = error.details;
  return new ApiError(error.request, error.failure, what, details);
}

/** A "not found" for an address that every service has means that the base URL is wrong. */
function blameBaseUrl(request: Request, error: ApiError): ApiError {
  if (!request.alwaysExists || error.failure !== "missing") return error;
  const what = `${error.what}; is the base URL right?`;
  return new ApiError(error.request, "rejected", what, { ...error.details, likelyCause: "baseUrl" });
}

/** Adds the key as the service expects it: in a header, or for the marketplace as a parameter. */
function authenticate(
  request: Request,
  { service, postParameters, key }: Endpoint,
): { authenticated: Request; headers: Record<string, string> } {
  if (service !== "market") return { authenticated: request, headers: { authorization: `Bearer ${key}` } };
  const { method, path, query, form } = request;
  const place = method === "GET" ? "query" : postParameters;
  return { authenticated: { method, path, [place]: { api_key: key, ...query, ...form } }, headers: {} };
}

function remaining(header: string | string[] | undefined): number | undefined {
  return typeof header === "string" && /^\d+$/.test(header) ? Number(header) : undefined;
}

type AttemptResult = { readonly answer: Response } | FailedAttempt;
interface FailedAttempt {
  readonly error: ApiError;
  readonly outcome: Attempt["outcome"];
  readonly asked?: number | undefined;
  readonly sentAt: number;
}
