import { setTimeout } from "node:timers/promises";
import type { Endpoint } from "../config";
import { type Api, ApiError, type ErrorDetails, type Request, type Response, UnexpectedAnswer } from "./api";
import { type CircuitBreaker, WHEN_BACK } from "./circuit-breaker";
import { send, TransportError } from "./http";
import { limitsFor } from "./limits";
import type { Sent } from "./rate-limiter";
import { parseResponse, type RawResponse } from "./response";
import {
  delayAfterFailure,
  isRepeatable,
  type Outcome,
  patience,
  pauseAfterRefusal,
  type Refusal,
} from "./retry";

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
  const client = new Client(endpoint, logger, signal);
  return (request) => client.send(request);
}

class Client {
  private readonly limits;
  private readonly keyName;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly logger: Logger,
    private readonly signal?: AbortSignal,
  ) {
    this.limits = limitsFor(endpoint, logger.warn);
    this.keyName = `${endpoint.service} ${endpoint.account}`;
  }

  /** Sends a request until it is done or failed for good. */
  async send(request: Request): Promise<Response> {
    const past: Past = { askedAt: performance.now(), attempts: 0, failures: 0, waited: 0, refusedAt: 0 };
    while (true) {
      const result = await this.sendInTurn(request, past);
      if ("answer" in result) return result.answer;
      const { error, again } = result;
      if (again === undefined) throw error;
      past.last = error;
      // A cancelled wait ends, and nothing more is sent.
      if (again > 0) await setTimeout(again, undefined, { signal: this.signal }).catch(() => {});
    }
  }

  private async sendInTurn(request: Request, past: Past): Promise<AttemptResult> {
    const { signal, endpoint } = this;
    const turn = {
      isRead: request.method === "GET",
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
      const { outcome, message, likelyCause } = error;
      log(outcome);
      const failure = outcome === "lost" || outcome === "too-large" ? "unclear" : "unsent";
      const what = `${endpoint.baseUrl}: ${message}`;
      const failed = new ApiError(request, failure, what, { likelyCause });
      return this.afterFailure(attempt, outcome, this.explain(failed));
    }
  }

  /** The meaning of an answer, for the requests that follow too. */
  private read(attempt: Attempt, raw: RawResponse): AttemptResult {
    const { request, sent } = attempt;
    const { baseUrl, labels } = this.endpoint;
    const now = performance.now();
    const { status, verdict, asked, remaining, result } = parseResponse(request, raw);
    const url = baseUrl + request.path;
    if (verdict === "answered") this.accepted(attempt, remaining);
    this.limits.rejections.delete(this.keyName);
    if (!(result instanceof ApiError)) {
      const source = { url, setting: labels.baseUrl };
      return { answer: { ...result, source, askedAt: sent.at, answeredAt: now } };
    }
    // It may be done nevertheless: a look that shows it can tell so.
    const wasDone = () => this.accepted(attempt);
    const error = this.explain(result, { url, ...(verdict === "busy" && { wasDone }) });
    if (status === 401) this.limits.rejections.set(this.keyName, { error, until: now + REJECTED_MS });
    if (verdict === "answered") return { error };
    if (verdict === "failed") return this.afterFailure(attempt, status, error);
    return this.afterRefusal(attempt, verdict, error, asked);
  }

  /** The service has accepted a request, or, as a look shows, done one that it seemed to refuse. */
  private accepted({ request, sent }: Attempt, remaining?: number): void {
    this.limits.rateLimiter.accepted(sent, remaining);
    this.breakerOf(request).succeeded(performance.now());
  }

  /** What follows a request that came to nothing. */
  private afterFailure({ request, sent, past }: Attempt, outcome: Outcome, error: ApiError): AttemptResult {
    const { rateLimiter } = this.limits;
    if (rateLimiter.wasAlone(sent)) this.breakerOf(request).failed(performance.now(), error);
    rateLimiter.failed();
    past.failures += 1;
    return { error, again: delayAfterFailure(request, outcome, past.failures, Math.random()) };
  }

  /** What follows a request that is refused for now. A pause begins at once, before another one can be sent. */
  private afterRefusal(
    { request, sent, past }: Attempt,
    verdict: "limited" | "busy",
    error: ApiError,
    asked: number | undefined,
  ): AttemptResult {
    const { rateLimiter } = this.limits;
    const { maxWait } = this.endpoint;
    const breaker = this.breakerOf(request);
    // A record that is refused each time, while others are accepted, waits by itself: it says nothing of them.
    const isOwn = past.attempts - past.failures >= ENOUGH && breaker.acceptedAt > past.refusedAt;
    past.refusedAt = performance.now();
    breaker.refused(past.askedAt, sent.at, past.refusedAt);
    const isNews = isOwn || rateLimiter.refused(sent, asked === undefined ? verdict : "named");
    const lasted = Math.max(breaker.refusedFor, past.waited);
    const refusal = { lasted, isNews, asked, maxWait, hasAccepted: this.hasAccepted };
    const pause = pauseAfterRefusal(refusal, Math.random());
    if (pause === undefined) return { error: this.giveUp(breaker, error, refusal) };
    past.waited += pause;
    const isSentAgain = verdict === "limited" || isRepeatable(request);
    if (isOwn) return { error, again: isSentAgain ? pause : undefined };
    rateLimiter.pause(pause);
    return { error, again: isSentAgain ? 0 : undefined };
  }

  /** The error of a request that is not sent again, and how long the service asks to wait, if that is too long. */
  private giveUp(breaker: CircuitBreaker, error: ApiError, refusal: Refusal): ApiError {
    const { lasted, asked = 0, maxWait } = refusal;
    const longest = patience(refusal);
    const isTooLong = lasted < longest;
    const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;
    const what = `${error.what}; it asks to wait ${seconds(asked)}, more than is left of tracking:maxRetryWait (${seconds(maxWait)})`;
    const told = isTooLong ? withDetails(error, { advice: undefined }, what) : error;
    // The others that wait would be refused too, one after another without a pause.
    if (breaker.refusedFor + (isTooLong ? asked : 0) >= longest) breaker.open(performance.now(), told);
    return told;
  }

  /** Whether a slower pace may help: not if the service has never accepted a read, or a write, and refuses all for long. */
  private mayPaceHelp(request: Request): boolean {
    const { acceptedAt, refusedFor } = this.breakerOf(request);
    return acceptedAt > Number.NEGATIVE_INFINITY || (this.hasAccepted && refusedFor < LONG_MS);
  }

  /** Whether the service has ever accepted a request. */
  private get hasAccepted(): boolean {
    const { reads, writes } = this.limits;
    return Math.max(reads.acceptedAt, writes.acceptedAt) > Number.NEGATIVE_INFINITY;
  }

  private breakerOf({ method }: Request) {
    return method === "GET" ? this.limits.reads : this.limits.writes;
  }

  /** Returns the reason why a request is not sent now, or undefined. */
  private reasonNotToSend(request: Request): ApiError | undefined {
    const now = performance.now();
    const { error, until = 0 } = this.limits.rejections.get(this.keyName) ?? {};
    if (error && now < until) return new ApiError(request, error.failure, error.what, error.details);
    const refusal = this.breakerOf(request).refusal(now, request);
    return refusal && this.explain(refusal);
  }

  /** The same failure, with what to do about the setting that is probably wrong. */
  private explain(error: ApiError, more: ErrorDetails = {}): ApiError {
    const { labels, keyAdvice, paceAdvice, proxy } = this.endpoint;
    const { likelyCause, status = 0 } = error.details;
    const isRedirect = status >= 300 && status < 400;
    // A wrong key leads to a log-in page, and so does a wrong address.
    const address =
      isRedirect && likelyCause === "key" ? `${labels.key} and ${labels.baseUrl}` : labels.baseUrl;
    const check = `check ${address}${isRedirect && proxy ? `, and ${proxy}` : ""}`;
    const adviceFor = {
      baseUrl: () => check,
      down: () => `${WHEN_BACK}; if it never was there, ${check}`,
      pace: () => (this.mayPaceHelp(error.request) ? paceAdvice() : WHEN_BACK),
      key: () => (isRedirect ? check : keyAdvice()),
      proxy: () => `check ${proxy ?? "HTTP_PROXY and HTTPS_PROXY"}`,
      front: () => `set tracking:headers to what that server demands, or check ${labels.baseUrl}`,
      permission: () => "ask the service's operator whether this API key may do this",
    };
    const advice = likelyCause && adviceFor[likelyCause]();
    return withDetails(error, { ...more, ...(advice && { advice }) });
  }
}

/** The same failure, with more details. */
function withDetails(error: ApiError, more: ErrorDetails, what = error.what): ApiError {
  const { request, failure } = error;
  const details = { ...error.details, ...more };
  if (error instanceof UnexpectedAnswer) return new UnexpectedAnswer(request, what, details);
  return new ApiError(request, failure, what, details);
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

/** An answer, or how an attempt failed, and after how many milliseconds the request is sent again, if it is. */
type AttemptResult =
  | { readonly answer: Response }
  | { readonly error: ApiError; readonly again?: number | undefined };

/** What became of a request so far. */
interface Past {
  /** When it was asked for. */
  readonly askedAt: number;
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
