import { setTimeout } from "node:timers/promises";
import type { Endpoint } from "../config";
import { type Api, ApiError, type ErrorDetails, type Request, type Response, UnexpectedAnswer } from "./api";
import { WHEN_BACK } from "./circuit-breaker";
import { parseRemaining, parseRetryAfter } from "./headers";
import { send, TransportError } from "./http";
import { limitsFor } from "./limits";
import type { Sent } from "./rate-limiter";
import { registerSecret } from "./redact";
import { parseResponse, type RawResponse } from "./response";
import { delayAfterFailure, isRepeatable, type Outcome, pauseAfterRefusal } from "./retry";

/** How long a rejected key is not sent again, in milliseconds: a service may ban an address that goes on. */
const REJECTED_MS = 10_000;
/** A request that was refused so many times, while others were accepted, is the reason itself. */
const ENOUGH = 3;

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
  const client = new Client(endpoint, logger, signal);
  return (request) => client.send(request);
}

class Client {
  private readonly limits;
  private readonly lastAnswer;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly logger: Logger,
    private readonly signal?: AbortSignal,
  ) {
    ({ limits: this.limits, lastAnswer: this.lastAnswer } = limitsFor(endpoint, logger.warn));
  }

  /** Sends a request until it is done or failed for good. */
  async send(request: Request): Promise<Response> {
    const breaker = this.limits.breakerOf(request);
    const past: Past = { attempts: 0, failures: 0, waited: 0, refusedAt: 0 };
    breaker.begins(performance.now());
    try {
      while (true) {
        const result = await this.sendInTurn(request, past);
        if ("answer" in result) return result.answer;
        past.last = result.error;
        // A cancelled wait ends, and nothing more is sent.
        if (result.wait > 0)
          await setTimeout(result.wait, undefined, { signal: this.signal }).catch(() => {});
        if (!result.again) throw result.error;
      }
    } finally {
      breaker.ends(performance.now());
    }
  }

  private async sendInTurn(request: Request, past: Past): Promise<AttemptResult> {
    const { signal, endpoint } = this;
    const turn = {
      isRead: request.method === "GET",
      isCreate: request.method === "POST" && !request.idempotent,
      attempts: past.attempts,
      signal,
      reasonNotToSend: () => this.reasonNotToSend(request),
    };
    try {
      return await this.limits.rateLimiter.run((sent) => this.sendOnce({ request, sent, past }), turn);
    } catch (error) {
      if (!signal?.aborted) throw error;
      const cancelled = `${endpoint.baseUrl}: the run was cancelled before this was sent`;
      throw past.last ?? new ApiError(request, "unsent", cancelled);
    }
  }

  private async sendOnce(attempt: Attempt): Promise<AttemptResult> {
    const { endpoint, logger } = this;
    const { request, sent, past } = attempt;
    request.onSend?.();
    past.attempts += 1;
    const log = (outcome: Outcome) => {
      if (endpoint.debug)
        logger.debug(
          `${request.method} ${endpoint.baseUrl}${request.path} ${outcome} ${Math.round(performance.now() - sent.at)} ms, attempt ${past.attempts}`,
        );
    };
    try {
      const { authenticated, headers } = authenticate(request, endpoint);
      const raw = await send(authenticated, { ...endpoint, headers });
      log(raw.status);
      return this.read(attempt, raw);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      log(error.outcome);
      const { outcome, message, likelyCause } = error;
      const failure = outcome === "lost" || outcome === "too-large" ? "unclear" : "unsent";
      const failed = this.advise(new ApiError(request, failure, message, { likelyCause }));
      const { what, details } = failed;
      const named = new ApiError(request, failure, `${endpoint.baseUrl}: ${what}`, details);
      return this.afterFailure(attempt, outcome, named, failed);
    }
  }

  /** The meaning of an answer, for the requests that follow too. */
  private read(attempt: Attempt, raw: RawResponse): AttemptResult {
    const { request, sent } = attempt;
    const { baseUrl, labels } = this.endpoint;
    const now = performance.now();
    const { status, verdict, result } = parseResponse(request, raw);
    if (verdict === "answered") this.limits.accepted(request, sent, parseRemaining(raw.headers));
    const url = baseUrl + request.path;
    if (!(result instanceof ApiError)) {
      this.lastAnswer.error = undefined;
      const source = { url, setting: labels.baseUrl };
      return { answer: { ...result, source, askedAt: sent.at, answeredAt: now } };
    }
    const error = this.advise(blameBaseUrl(request, result), url);
    Object.assign(this.lastAnswer, { error, at: now });
    if (verdict === "answered") return { error, wait: 0, again: false };
    if (verdict === "failed") return this.afterFailure(attempt, status, error);
    const retryAfterMs = parseRetryAfter(raw.headers, Date.now(), verdict === "limited");
    return this.afterRefusal(attempt, verdict, error, retryAfterMs);
  }

  /**
   * What follows a request that came to nothing.
   *
   * @param reason the same error, for a message that names the address itself
   */
  private afterFailure(attempt: Attempt, outcome: Outcome, error: ApiError, reason = error): AttemptResult {
    const { request, sent, past } = attempt;
    const { rateLimiter } = this.limits;
    if (rateLimiter.wasAlone(sent)) this.limits.breakerOf(request).failed(performance.now(), reason);
    rateLimiter.failed();
    past.failures += 1;
    const wait = delayAfterFailure(request, outcome, past.failures, Math.random());
    return { error, wait: wait ?? 0, again: wait !== undefined };
  }

  /** What follows a request that is refused for now. A pause begins at once, before another one can be sent. */
  private afterRefusal(
    { request, sent, past }: Attempt,
    verdict: "limited" | "busy",
    error: ApiError,
    retryAfterMs: number | undefined,
  ): AttemptResult {
    const { rateLimiter, hasAccepted } = this.limits;
    const { maxWait } = this.endpoint;
    const breaker = this.limits.breakerOf(request);
    // A record that is refused each time, while others are accepted, waits by itself: it says nothing of them.
    const isOwn = past.attempts - past.failures >= ENOUGH && breaker.acceptedAt > past.refusedAt;
    breaker.refused(sent.at);
    past.refusedAt = performance.now();
    const isNews = isOwn || rateLimiter.refused(sent, retryAfterMs === undefined ? verdict : "named");
    const refusedAllFor = breaker.refusedAllFor(sent.at);
    const decision = pauseAfterRefusal(
      { refusedAllFor, waited: past.waited, isNews, hasAccepted, retryAfterMs, maxWait },
      Math.random(),
    );
    // It may be done nevertheless: a look that shows it can tell so.
    const wasDone = () => this.limits.accepted(request, sent);
    const told = verdict === "busy" ? withDetails(error, { wasDone }) : error;
    if ("refusesAll" in decision) {
      const explained = explain(told, maxWait, decision.excessiveWaitMs);
      // The others that wait would be refused too, one after another without a pause.
      if (decision.refusesAll) breaker.open(performance.now(), explained);
      return { error: explained, wait: 0, again: false };
    }
    const { wait } = decision;
    past.waited += wait;
    const again = verdict === "limited" || isRepeatable(request);
    if (isOwn) return { error: told, wait, again };
    rateLimiter.pause(wait, retryAfterMs !== undefined);
    return { error: told, wait: 0, again };
  }

  private advise(error: ApiError, url?: string): ApiError {
    const paceAdvice = this.limits.mayPaceHelp(error.request) ? this.endpoint.paceAdvice : () => WHEN_BACK;
    return withAdvice({ ...this.endpoint, paceAdvice }, error, url);
  }

  /** Returns the reason why a request is not sent now, or undefined. */
  private reasonNotToSend(request: Request): ApiError | undefined {
    const now = performance.now();
    const pause = this.limits.breakerOf(request).refusal(now, this.endpoint.baseUrl);
    if (pause !== undefined) return this.advise(new ApiError(request, "unsent", pause.what, pause.details));
    const { error, at } = this.lastAnswer;
    if (error?.details.status === 401 && now < at + REJECTED_MS)
      return new ApiError(request, error.failure, error.what, error.details);
    return undefined;
  }
}

/** The same failure, with more details. */
function withDetails(error: ApiError, more: ErrorDetails, what = error.what): ApiError {
  const { request, failure } = error;
  const details = { ...error.details, ...more };
  if (error instanceof UnexpectedAnswer) return new UnexpectedAnswer(request, what, details);
  return new ApiError(request, failure, what, details);
}

/** The same failure, and how long the service asks to wait, in milliseconds, if that is too long. */
function explain(error: ApiError, maxWait: number, wait: number | undefined): ApiError {
  if (wait === undefined) return error;
  const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;
  const what = `${error.what}; it asks to wait ${seconds(wait)}, more than is left of tracking:maxRetryWait (${seconds(maxWait)})`;
  return withDetails(error, { advice: undefined }, what);
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
  return withDetails(error, { url, ...(advice && { advice }) });
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
  /** How many of them came to nothing; the service refused the others. */
  failures: number;
  /** For how many milliseconds it has waited after refusals. */
  waited: number;
  /** When it was refused last. */
  refusedAt: number;
  /** How the last attempt failed. */
  last?: ApiError;
}

/** A request that was sent, and what became of it before. */
interface Attempt {
  readonly request: Request;
  readonly sent: Sent;
  readonly past: Past;
}
