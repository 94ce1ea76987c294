import { type Api, ApiError, type Request, type Response } from "../api/api";
import type { HeldRecords } from "./held-records";

/** A way to the same service with a key of the environment. */
export interface Fallback {
  /** What the key is called where it is set. */
  readonly label: string;
  readonly api: Api;
}

/**
 * The engine hands refresh and destroy the settings of the last `up`, whose key may be revoked by now. Where the
 * service rejects it with a 401, a key of the environment takes over; but that one may open another account. So it is
 * not believed before it has shown a record that state holds, it reads and writes such records alone, and that it
 * does not find one proves nothing. From then on the first key is not asked again, and no record is made.
 *
 * @param first the way with the key of stack config
 */
export function withFallback(
  first: Api,
  fallbacks: readonly Fallback[],
  held: HeldRecords,
  say: (text: string) => void,
): Api {
  let chosen: { readonly fallback: Fallback; readonly rejection: ApiError } | undefined;
  // A list of another key's would make the proof whole that the first one began.
  let hasMissed = false;

  return async (request) => {
    if (chosen === undefined)
      try {
        return await first(request);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.failure === "missing") {
          hasMissed = true;
          // Meanwhile another request has found the key to be rejected.
          throw chosen === undefined ? error : doubted(error);
        }
        if (error.details.status !== 401) throw error;
        const rejection = advised(error, fallbacks);
        const answer = await confirm(request, rejection);
        if (answer !== undefined) return answer;
        if (chosen === undefined) throw rejection;
      }
    return follow(chosen, request);
  };

  /** What the first fallback key answers that shows a record of state, while none has done so. */
  async function confirm(request: Request, rejection: ApiError): Promise<Response | undefined> {
    if (chosen !== undefined || request.method !== "GET" || !isCovered(request)) return undefined;
    for (const fallback of fallbacks) {
      const answer = await fallback.api(request).then(
        (given) => (isShown(request, given) ? given : undefined),
        (error: unknown) => {
          if (error instanceof ApiError) return undefined;
          throw error;
        },
      );
      if (answer === undefined) continue;
      if (chosen === undefined) {
        chosen = { fallback, rejection };
        say(`the API key of the last update was rejected; using the one of ${fallback.label}`);
      }
      return chosen.fallback === fallback ? answer : undefined;
    }
    return undefined;
  }

  async function follow(to: NonNullable<typeof chosen>, request: Request): Promise<Response> {
    if (!isCovered(request)) throw to.rejection;
    try {
      return await to.fallback.api(request);
    } catch (error) {
      throw error instanceof ApiError && error.failure === "missing" ? doubted(error) : error;
    }
  }

  function isCovered(request: Request): boolean {
    return held.isList(request) ? !hasMissed : held.isOne(request);
  }

  function isShown(request: Request, answer: Response): boolean {
    try {
      return held.isShownBy(request, answer);
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  }
}

/** The same failure, with how the key that is set now is taken. */
function advised({ request, failure, what, details }: ApiError, fallbacks: readonly Fallback[]): ApiError {
  const names = fallbacks.map(({ label }) => label).join(" and ");
  const alternative =
    names === ""
      ? ", or set TRACKING_API_KEY"
      : `; the key of ${names} is not used here, since it has not shown a record that this stack holds`;
  const rerun = `if it has changed since the last up, run the same command with --run-program${alternative}`;
  const remedy = details.remedy === undefined ? rerun : `${details.remedy}; ${rerun}`;
  return new ApiError(request, failure, what, { ...details, remedy });
}

/** What another key does not find may be there for the one that is set. */
function doubted({ request, details }: ApiError): ApiError {
  return new ApiError(
    request,
    "unauthorised",
    "the service rejects the API key that is set, and a 404 seen with a different key does not prove the record is gone",
    { ...details, remedy: "run the same command with --run-program" },
  );
}
