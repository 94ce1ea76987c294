import type * as z from "zod";
import { type Api, ApiError, type Request, type Response, UnexpectedAnswer } from "../api/api";
import { getOwn, hasContent } from "../api/json";
import { misdirected } from "../records/envelope";
import { isMissing } from "./lookup";

/** The one operation that shows whether a key is right. */
export const ACCOUNT_REQUEST: Request = { method: "GET", path: "/api/account/details", denial: "rejected" };

/**
 * Sends a request; a failure names what could not be done. The marketplace answers a wrong key as if nothing were
 * found, so this rejects with `missing`, for the caller to explain, only if the account's details show that the key is
 * right.
 */
export async function callMarket(api: Api, request: Request, what: string): Promise<Response> {
  try {
    return await api({ denial: "missing", ...request });
  } catch (error) {
    if (request === ACCOUNT_REQUEST || !isMissing(error)) throw withAction(error, what);
    await assertKeyWorks(api, error, what);
    throw error;
  }
}

async function assertKeyWorks(api: Api, missing: ApiError, what: string): Promise<void> {
  try {
    const { body, status } = await api(ACCOUNT_REQUEST);
    if (!hasContent(getOwn(body, "data")) && getOwn(body, "username") === undefined)
      throw new UnexpectedAnswer(ACCOUNT_REQUEST, "the service answered without an account", { status });
  } catch (error) {
    if (
      error instanceof ApiError &&
      (error.failure === "unauthorised" || error.details.likelyCause === "key")
    )
      throw withAction(error, what);
    const doubt = `${what}, perhaps because the API key is wrong: ${missing.what}`;
    throw new ApiError(missing.request, "unclear", doubt, missing.details);
  }
}

/** Part of an answer in our shape. An error names the field that does not fit, never its value. */
export function parseAnswer<T>(request: Request, shape: z.ZodType<T>, part: unknown, answer: Response): T {
  const result = shape.safeParse(part);
  if (result.success) return result.data;
  const issues = result.error.issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
  throw misdirected(
    request,
    answer,
    `the service's answer makes no sense (${issues.join("; ")}); is the base URL that of the marketplace?`,
  );
}

function withAction(error: unknown, what: string): unknown {
  if (!(error instanceof ApiError)) return error;
  return new ApiError(error.request, error.failure, `${what}: ${error.what}`, error.details);
}
