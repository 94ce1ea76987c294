import type * as z from "zod";
import { type Api, ApiError, type Meaning, type Request, type Response, UnexpectedAnswer } from "../api/api";
import { getOwn, hasContent } from "../api/json";
import { wrongAddressError } from "../records/envelope";
import { isMissing } from "./lookup";

/** The members of the marketplace's answers that hold the requested data. */
const ENVELOPES = ["data", "items", "item", "purchase", "product"];
/** The members that identify data without an envelope. */
const IDENTIFYING_FIELDS = ["id", "username", "purchase_code"];
/** The marketplace says no with each of these; other statuses have a meaning of their own. */
const FAILURE_STATUSES: readonly number[] = [200, 400, 404, 410, 422];

/**
 * Recognizes an answer that says no: a message without the requested data. Neither its words nor the text of its `status` count,
 * since a site's owner may translate both (the emulator's `translated`). An empty list or object is no data.
 */
function recognizeFailureAs(meaning: Meaning): NonNullable<Request["reportedFailure"]> {
  return (status, body) => {
    if (!FAILURE_STATUSES.includes(status) || getOwn(body, "msg") === undefined) return undefined;
    const hasData = ENVELOPES.some(
      (name) => typeof getOwn(body, name) === "object" && hasContent(getOwn(body, name)),
    );
    return hasData || IDENTIFYING_FIELDS.some((name) => getOwn(body, name) !== undefined)
      ? undefined
      : meaning;
  };
}

const NOT_FOUND = recognizeFailureAs(["missing", "the service does not find it"]);

/** The one operation that shows whether a key is right. */
export const ACCOUNT_REQUEST: Request = {
  method: "GET",
  path: "/api/account/details",
  reportedFailure: recognizeFailureAs([
    "rejected",
    "the service says no, perhaps because the API key is wrong",
    "key",
  ]),
};

/** A 404 for the account's details, which every marketplace has, means more than that they are missing. */
async function askAccount(api: Api): Promise<Response> {
  try {
    return await api(ACCOUNT_REQUEST);
  } catch (error) {
    if (!(error instanceof ApiError) || error.details.status !== 404) throw error;
    const { advice = "ask the service's operators whether it is on" } = error.details;
    const what = `${error.what}; if key and base URL are right, the marketplace's API seems to be off, as in demo mode`;
    throw new ApiError(error.request, "rejected", what, { ...error.details, advice });
  }
}

/** The error, with what could not be done before what happened. */
function withAction(error: unknown, what: string): unknown {
  if (!(error instanceof ApiError)) return error;
  return new ApiError(error.request, error.failure, `${what}: ${error.what}`, error.details);
}

/** Throws if the account's details show that the key is wrong, or leave that open. */
async function assertKeyWorks(api: Api, missing: ApiError, what: string): Promise<void> {
  try {
    const { body, status } = await askAccount(api);
    if (!hasContent(getOwn(body, "data")) && getOwn(body, "username") === undefined)
      throw new UnexpectedAnswer(ACCOUNT_REQUEST, "the service answered without an account", { status });
  } catch (error) {
    if (
      error instanceof ApiError &&
      (error.failure === "unauthorised" ||
        error.details.likelyCause === "key" ||
        error.details.status === 404)
    )
      throw withAction(error, what);
    const doubt = `${what}, perhaps because the API key is wrong: ${missing.what}`;
    throw new ApiError(missing.request, "unclear", doubt, missing.details);
  }
}

/**
 * Sends a request; a failure names what could not be done. The marketplace answers a wrong key as if nothing were
 * found, so this rejects with `missing`, for the caller to explain, only if the account's details show that the key is
 * right.
 */
export async function callMarket(api: Api, request: Request, what: string): Promise<Response> {
  try {
    return await (request === ACCOUNT_REQUEST
      ? askAccount(api)
      : api({ reportedFailure: NOT_FOUND, ...request }));
  } catch (error) {
    if (request === ACCOUNT_REQUEST || !isMissing(error)) throw withAction(error, what);
    await assertKeyWorks(api, error, what);
    throw error;
  }
}

/** Part of an answer in our shape. An error names the field that does not fit, never its value. */
export function parseAnswer<T>(request: Request, shape: z.ZodType<T>, part: unknown, answer: Response): T {
  const result = shape.safeParse(part);
  if (result.success) return result.data;
  const issues = result.error.issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
  throw wrongAddressError(
    request,
    answer,
    `the service's answer makes no sense (${issues.join("; ")}); is the base URL that of the marketplace?`,
  );
}
