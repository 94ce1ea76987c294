import type * as z from "zod";
import {
  type Answer,
  type Api,
  ApiError,
  isFilled,
  member,
  type Request,
  UnexpectedAnswer,
} from "../api/api";
import { isMissing } from "./lookup";

/** The one operation that tells whether a key is right. */
export const ACCOUNT: Request = { method: "GET", path: "/api/account/details", denial: "rejected" };

/**
 * Sends a request; a failure says what could not be done for it. The marketplace answers a wrong key as if
 * nothing were found: `missing` comes out of here, for the caller to explain, only where the account's details
 * show that the key is right.
 */
export async function askMarket(api: Api, request: Request, what: string): Promise<Answer> {
  try {
    return await api({ denial: "missing", ...request });
  } catch (error) {
    if (request === ACCOUNT || !isMissing(error)) throw told(error, what);
    if (await keyWorks(api, error, what)) throw error;
    return askAgain(api, request, what);
  }
}

/** True where the key that was set first is right; another one may have taken its place. */
async function keyWorks(api: Api, missing: ApiError, what: string): Promise<boolean> {
  try {
    const { body, spareKey, status } = await api(ACCOUNT);
    if (!isFilled(member(body, "data")) && member(body, "username") === undefined)
      throw new UnexpectedAnswer(ACCOUNT, "the service answered without an account", { status });
    return !spareKey;
  } catch (error) {
    if (error instanceof ApiError && (error.failure === "unauthorised" || error.said.suspect === "key"))
      throw told(error, what);
    const reason = `${what}, and it can't be told whether the API key is right: ${missing.reason}`;
    throw new ApiError(missing.request, "unclear", reason, missing.said);
  }
}

/** Asks with the key that has taken another's place. What it does not find may be there for the other. */
async function askAgain(api: Api, request: Request, what: string): Promise<Answer> {
  try {
    return await api({ denial: "missing", ...request });
  } catch (error) {
    if (!isMissing(error)) throw told(error, what);
    throw new ApiError(
      request,
      "unauthorised",
      `${what}: the service rejects the API key that is set, and another key's word is not enough to hold it to be missing`,
      error.said,
    );
  }
}

/** An answer's part in our shape. What does not fit is an error that names the field, never the value. */
export function understood<T>(request: Request, shape: z.ZodType<T>, part: unknown, answer: Answer): T {
  const result = shape.safeParse(part);
  if (result.success) return result.data;
  const issues = result.error.issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
  throw new UnexpectedAnswer(
    request,
    `the service's answer makes no sense (${issues.join("; ")}); is the base URL that of the marketplace?`,
    { status: answer.status },
  );
}

function told(error: unknown, what: string): unknown {
  if (!(error instanceof ApiError)) return error;
  return new ApiError(error.request, error.failure, `${what}: ${error.reason}`, error.said);
}
