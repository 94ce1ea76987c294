import { setTimeout } from "node:timers/promises";
import type { Endpoint } from "../config";
import { type Api, ApiError, type Request, type Response, UnexpectedAnswer } from "./api";
import { WHEN_BACK } from "./circuit-breaker";
import { parseRemaining, parseRetryAfter } from "./headers";
import { send, TransportError } from "./http";
import { limitsFor } from "./limits";
import type { Sent } from "./rate-limiter";
import { registerSecret } from "./redact";
import { parseResponse, type RawResponse } from "./response";
import { delayAfterFailure, isRepeatable, type Outcome, pauseAfterRefusal } from "./retry";
import type { Verdict } from "./statuses";

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
        const result = await this.attempt(request, past);
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

  /** Sends it when it is its turn. */
  private async attempt(request: Request, past: Past): Promise<AttemptResult> {
    const { signal, endpoint } = this;
    const turn = {
      isRead: request.method === "GET",
      isCreate: request.method === "POST" && !request.idempotent,
      attempts: past.attempts,
      signal,
      reasonNotToSend: () => this.reasonNotToSend(request),
    };
    try {
      return await this.limits.rateLimiter.run((sent) => this.sendOnce(request, sent, past), turn);
    } catch (error) {
      if (!signal?.aborted) throw error;
      const cancelled = `${endpoint.baseUrl}: the run was cancelled before this was sent`;
      throw past.last ?? new ApiError(request, "unsent", cancelled);
    }
  }

  private async sendOnce(request: Request, sent: Sent, past: Past): Promise<AttemptResult> {
    const { endpoint, logger } = this;
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
      return this.read(request, raw, sent, past);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      log(error.outcome);
      const { outcome, message, likelyCause } = error;
      const failure = outcome === "lost" || outcome === "too-large" ? "unclear" : "unsent";
      const failed = this.advise(new ApiError(request, failure, message, { likelyCause }));
      const { what, details } = failed;
      const named = new ApiError(request, failure, `${endpoint.baseUrl}: ${what}`, details);
      return this.afterFailure(request, { error: named, outcome, sent, past }, failed);
    }
  }

  /** The meaning of an answer, for the requests that follow too. */
  private read(request: Request, raw: RawResponse, sent: Sent, past: Past): AttemptResult {
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
    if (verdict === "failed") return this.afterFailure(request, { error, outcome: status, sent, past });
    const retryAfterMs = parseRetryAfter(raw.headers, Date.now(), verdict === "limited");
    return this.afterRefusal(request, { error, verdict, retryAfterMs, sent, past });
  }

  /** What follows a request that came to nothing. */
  private afterFailure(
    request: Request,
    { error, outcome, sent, past }: Failed & { readonly outcome: Outcome },
    failed = error,
  ): AttemptResult {
    const { rateLimiter } = this.limits;
    if (rateLimiter.wasAlone(sent)) this.limits.breakerOf(request).failed(performance.now(), failed);
    rateLimiter.failed();
    past.failures += 1;
    const wait = delayAfterFailure(request, outcome, past.failures, Math.random());
    return { error, wait: wait ?? 0, again: wait !== undefined };
  }

  /** What follows a request that is refused for now. A pause begins at once, before another one can be sent. */
  private afterRefusal(request: Request, refused: Refused): AttemptResult {
    const { verdict, retryAfterMs, sent, past } = refused;
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
    const error = this.mayBeAccepted(request, refused);
    if ("refusesAll" in decision) {
      const explained = this.explain(error, decision.excessiveWaitMs);
      // The others that wait would be refused too, one after another without a pause.
      if (decision.refusesAll) breaker.open(performance.now(), explained);
      return { error: explained, wait: 0, again: false };
    }
    const { wait } = decision;
    past.waited += wait;
    const again = verdict === "limited" || isRepeatable(request);
    if (isOwn) return { error, wait, again };
    rateLimiter.pause(wait, retryAfterMs !== undefined);
    return { error, wait: 0, again };
  }

  /** The error of a request that is refused, but may be done: a look that shows it can tell so. */
  private mayBeAccepted(request: Request, { error, verdict, sent }: Refused): ApiError {
    if (verdict !== "busy") return error;
    const wasDone = () => this.limits.accepted(request, sent);
    return new ApiError(error.request, error.failure, error.what, { ...error.details, wasDone });
  }

  /** The same failure, and how long the service asks to wait, in milliseconds, if that is too long. */
  private explain(error: ApiError, wait: number | undefined): ApiError {
    if (wait === undefined) return error;
    const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;
    const what = `${error.what}; it asks to wait ${seconds(wait)}, more than is left of tracking:maxRetryWait (${seconds(this.endpoint.maxWait)})`;
    const { advice: _, ...details } = error.details;
    return new ApiError(error.request, error.failure, what, details);
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
  /** How many of them came to nothing; the service refused the others. */
  failures: number;
  /** For how many milliseconds it has waited after refusals. */
  waited: number;
  /** When it was refused last. */
  refusedAt: number;
  /** How the last attempt failed. */
  last?: ApiError;
}

/** An attempt that was not accepted. */
interface Failed {
  readonly error: ApiError;
  readonly sent: Sent;
  readonly past: Past;
}

interface Refused extends Failed {
  readonly verdict: Exclude<Verdict, "answered" | "failed">;
  readonly retryAfterMs: number | undefined;
}
