import { setTimeout } from "node:timers/promises";
import type { Endpoint } from "../config";
import { type Api, ApiError, type Request, type Response, UnexpectedAnswer } from "./api";
import { WHEN_BACK } from "./circuit-breaker";
import { namesWait, parseRemaining, parseRetryAfter } from "./headers";
import { send, TransportError } from "./http";
import { limitsFor } from "./limits";
import type { Sent } from "./rate-limiter";
import { registerSecret } from "./redact";
import { parseResponse, type RawResponse } from "./response";
import { type Attempt, retryDecision } from "./retry";
import { type Verdict, verdictOf } from "./statuses";

/** How long a rejected key is not sent again, in milliseconds: a service may ban an address that goes on. */
const REJECTED_MS = 10_000;

/** A request that was refused so many times, while others were accepted, is the reason itself. */
const ENOUGH = 3;
/** A service that has refused all requests for so many milliseconds probably refuses them whatever the pace. */
const LONG_MS = 20_000;

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
  const { rateLimiter, breakers, lastAnswer } = limitsFor(endpoint, logger.warn);
  const isRead = ({ method }: Pick<Request, "method">) => method === "GET";
  const breakerOf = (request: Pick<Request, "method">) =>
    isRead(request) ? breakers.reads : breakers.writes;
  const advise = (error: ApiError, url?: string) => {
    const paceAdvice = mayPaceHelp(error.request) ? endpoint.paceAdvice : () => WHEN_BACK;
    return withAdvice({ ...endpoint, paceAdvice }, error, url);
  };
  const hasAccepted = () => breakers.reads.hasAccepted || breakers.writes.hasAccepted;
  const cancelled = `${endpoint.baseUrl}: the run was cancelled before this was sent`;
  return sendWithRetries;

  async function sendWithRetries(request: Request): Promise<Response> {
    let last: ApiError | undefined;
    const past: Past = { attempts: 0, failures: 0, waited: 0, refusedAt: 0 };
    const turn = {
      isRead: isRead(request),
      isCreate: request.method === "POST" && !request.idempotent,
      signal,
      reasonNotToSend: () => reasonNotToSend(request),
    };
    while (true) {
      const result = await rateLimiter
        .run((sent) => sendOnce(request, sent, past), { ...turn, attempts: past.attempts })
        .catch((error) => {
          throw signal?.aborted ? (last ?? new ApiError(request, "unsent", cancelled)) : error;
        });
      if ("answer" in result) return result.answer;
      last = result.error;
      // A cancelled wait ends, and nothing more is sent.
      if (result.wait > 0) await setTimeout(result.wait, undefined, { signal }).catch(() => {});
      if (!result.again) throw last;
    }
  }

  async function sendOnce(request: Request, sent: Sent, past: Past): Promise<AttemptResult> {
    request.onSend?.();
    past.attempts += 1;
    const log = (outcome: number | string) => {
      if (endpoint.debug)
        logger.debug(
          `${request.method} ${endpoint.baseUrl}${request.path} ${outcome} ${Math.round(performance.now() - sent.at)} ms, attempt ${past.attempts}`,
        );
    };
    try {
      const { authenticated, headers } = authenticate(request, endpoint);
      const raw = await send(authenticated, { ...endpoint, headers });
      log(raw.status);
      return read(request, raw, sent, past);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      log(error.outcome);
      const { outcome, message, likelyCause } = error;
      const failure = outcome === "lost" || outcome === "too-large" ? "unclear" : "unsent";
      const failed = advise(new ApiError(request, failure, message, { likelyCause }));
      const { what, details } = failed;
      const named = new ApiError(request, failure, `${endpoint.baseUrl}: ${what}`, details);
      return conclude(request, { error: named, outcome, sent, past }, failed);
    }
  }

  /** The meaning of an answer, for the requests that follow too. */
  function read(request: Request, raw: RawResponse, sent: Sent, past: Past): AttemptResult {
    const now = performance.now();
    const verdict = verdictOf(raw.status, namesWait(raw.headers));
    const isAccepted = raw.status < 500 && verdict === "answered";
    if (isAccepted) {
      rateLimiter.accepted(sent, parseRemaining(raw.headers));
      breakerOf(request).succeeded(performance.now());
    }
    const url = endpoint.baseUrl + request.path;
    try {
      const source = { url, setting: endpoint.labels.baseUrl };
      const answer = { ...parseResponse(request, raw), source, askedAt: sent.at, answeredAt: now };
      lastAnswer.error = undefined;
      return { answer };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const failed = advise(blameBaseUrl(request, error), url);
      Object.assign(lastAnswer, { error: failed, at: now });
      if (isAccepted) return { error: failed, wait: 0, again: false };
      const retryAfterMs = parseRetryAfter(raw.headers, Date.now(), verdict === "limited");
      return conclude(request, { error: failed, outcome: raw.status, verdict, retryAfterMs, sent, past });
    }
  }

  /** What follows a request that was not accepted. A pause begins at once, before another one can be sent. */
  function conclude(request: Request, attempt: FailedAttempt, failed = attempt.error): AttemptResult {
    const { error, outcome, retryAfterMs, past } = attempt;
    const refusal = refusalOf(request, attempt);
    if (refusal === undefined) noteFailure(request, past, failed);
    const method = request.idempotent ? "GET" : request.method;
    const { failures } = past;
    const { maxWait } = endpoint;
    const decision = retryDecision(
      { method, outcome, retryAfterMs, failures, refusal, maxWait },
      Math.random(),
    );
    if ("stop" in decision) {
      const explained = explain(error, decision.excessiveWaitMs);
      // The others that wait would be refused too, one after another without a pause.
      if (decision.refusesAll) breakerOf(request).open(performance.now(), explained);
      return { error: explained, wait: 0, again: false };
    }
    const { again, wait } = decision;
    if (refusal === undefined) return { error, wait, again };
    past.waited += wait;
    if (refusal.isItsOwn) return { error, wait, again };
    rateLimiter.pause(wait, retryAfterMs !== undefined);
    if (again) return { error, wait: 0, again };
    const wasDone = () => {
      rateLimiter.accepted(attempt.sent);
      breakerOf(request).succeeded(performance.now());
    };
    const details = { ...error.details, wasDone };
    return { error: new ApiError(error.request, error.failure, error.what, details), wait: 0, again };
  }

  function noteFailure(request: Request, past: Past, failed: ApiError): void {
    if (rateLimiter.isAlone) breakerOf(request).failed(performance.now(), failed);
    rateLimiter.failed();
    past.failures += 1;
  }

  /** How the service refuses the request for now, if it does. */
  function refusalOf(request: Request, attempt: FailedAttempt) {
    const { verdict, retryAfterMs, sent, past } = attempt;
    if (verdict === undefined || verdict === "answered") return undefined;
    const breaker = breakerOf(request);
    // A named time that was waited for and too short, such as always one second, names none.
    const isNamed = retryAfterMs !== undefined && breaker.refusedAllFor(sent.at) === 0;
    breaker.refused(sent.at);
    const unnamed = verdict === "limited" ? "limit" : "silent";
    const kind = isNamed ? "named" : unnamed;
    // A record that is refused each time, while others are accepted, waits alone: it says nothing of them.
    const isItsOwn = past.attempts >= ENOUGH && breaker.acceptedAt > past.refusedAt;
    past.refusedAt = performance.now();
    return {
      isItsOwn,
      mayBeDone: verdict === "busy",
      isNews: isItsOwn || rateLimiter.refused(sent, kind),
      refusedAllFor: breaker.refusedAllFor(performance.now()),
      waited: past.waited,
      hasAccepted: hasAccepted(),
    };
  }

  /** Whether a slower pace may help: not if the service has never accepted a read, or a write, and refuses all for long. */
  function mayPaceHelp(request: Pick<Request, "method">): boolean {
    const breaker = breakerOf(request);
    return breaker.hasAccepted || (hasAccepted() && breaker.refusedAllFor(performance.now()) < LONG_MS);
  }

  /** The same failure, and how long the service asks to wait, in milliseconds, if that is too long. */
  function explain(error: ApiError, wait: number | undefined): ApiError {
    if (wait === undefined) return error;
    const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;
    const what = `${error.what}; it asks to wait ${seconds(wait)}, more than tracking:maxRetryWait allows (${seconds(endpoint.maxWait)})`;
    const { advice: _, ...details } = error.details;
    return new ApiError(error.request, error.failure, what, details);
  }

  /** Returns the reason why a request is not sent now, or undefined. */
  function reasonNotToSend(request: Request): ApiError | undefined {
    const now = performance.now();
    const pause = breakerOf(request).refusal(now, endpoint.baseUrl);
    if (pause !== undefined) return advise(new ApiError(request, "unsent", pause.what, pause.details));
    const { error, at } = lastAnswer;
    if (error?.details.status === 401 && now < at + REJECTED_MS)
      return new ApiError(request, error.failure, error.what, error.details);
    return undefined;
  }
}

/** The same failure, naming the address and the setting that is probably wrong. */
function withAdvice(
  { labels, keyAdvice, paceAdvice, proxy }: Endpoint,
  error: ApiError,
  url?: string,
): ApiError {
  const { likelyCause, status = 0 } = error.details;
  const isRedirect = status >= 300 && status < 400;
  // A wrong key leads to a log-in page, and so does a wrong address.
  const address =
    isRedirect && likelyCause === "key" ? `${labels.key} and ${labels.baseUrl}` : labels.baseUrl;
  const check = `check ${address}${isRedirect && proxy ? `, and ${proxy}` : ""}`;
  const adviceFor = {
    baseUrl: () => check,
    down: () => `${WHEN_BACK}; if it never was there, ${check}`,
    pace: paceAdvice,
    key: () => (isRedirect ? check : keyAdvice()),
    proxy: () => `check ${proxy ?? "HTTP_PROXY and HTTPS_PROXY"}`,
    front: () => `set tracking:headers to what that server demands, or check ${labels.baseUrl}`,
    permission: () => "ask the service's operator whether this API key may do this",
  };
  const advice = likelyCause && adviceFor[likelyCause]();
  const details = { ...error.details, url, ...(advice && { advice }) };
  return error instanceof UnexpectedAnswer
    ? new UnexpectedAnswer(error.request, error.what, details)
    : new ApiError(error.request, error.failure, error.what, details);
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
  { service, postParameters, key, headers }: Endpoint,
): { authenticated: Request; headers: Record<string, string> } {
  if (service !== "market")
    return { authenticated: request, headers: { ...headers, authorization: `Bearer ${key}` } };
  const { method, path, query, form } = request;
  const place = method === "GET" ? "query" : postParameters;
  return { authenticated: { method, path, [place]: { api_key: key, ...query, ...form } }, headers };
}

/** An answer, or how an attempt failed, and whether to send the request again after so many milliseconds. */
type AttemptResult =
  | { readonly answer: Response }
  | { readonly error: ApiError; readonly wait: number; readonly again: boolean };

/** What became of a request so far. */
interface Past {
  attempts: number;
  failures: number;
  /** For how many milliseconds it has waited since it was refused. */
  waited: number;
  /** When it was refused last. */
  refusedAt: number;
}

interface FailedAttempt {
  readonly error: ApiError;
  readonly outcome: Attempt["outcome"];
  /** Of its status, if an answer came. */
  readonly verdict?: Verdict;
  readonly retryAfterMs?: number | undefined;
  readonly sent: Sent;
  readonly past: Past;
}
