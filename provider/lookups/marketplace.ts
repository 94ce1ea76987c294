import type * as z from "zod";
import { type Answer, type Api, ApiError, type Request, UnexpectedAnswer } from "../api/api";

/** The one operation that tells whether a key is right. */
export const ACCOUNT: Request = { method: "GET", path: "/api/account/details" };

/** Sends a request; a failure says what could not be done for it. `missing` is left to the caller to explain. */
export async function askMarket(api: Api, request: Request, what: string): Promise<Answer> {
  try {
    return await api(request);
  } catch (error) {
    throw told(error, what);
  }
}

/**
 * The marketplace answers a wrong key as if nothing were found. Where it found nothing, the account's details
 * tell which of the two it is: resolves where the key is right, rejects where it isn't or nobody can tell.
 */
export async function keyWorks(api: Api, missing: ApiError, what: string): Promise<void> {
  try {
    await api(ACCOUNT);
  } catch (error) {
    if (error instanceof ApiError && error.failure === "unauthorised") throw told(error, what);
    throw told(missing, `${what}, and it can't be told whether the API key is right`);
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
    answer.status,
  );
}

function told(error: unknown, what: string): unknown {
  if (!(error instanceof ApiError)) return error;
  return new ApiError(error.request, error.failure, `${what}: ${error.reason}`, error.said);
}
