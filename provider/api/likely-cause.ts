import type { Endpoint } from "../config";
import { ApiError, type Request, UnexpectedAnswer } from "./api";

/** A "not found" for an address that every service has means that the base URL is wrong. */
export function blameBaseUrl(request: Request, error: ApiError): ApiError {
  if (!request.alwaysExists || error.failure !== "missing") return error;
  const what = `${error.what}; is the base URL right?`;
  return new ApiError(error.request, "rejected", what, { ...error.details, likelyCause: "baseUrl" });
}

/** The same failure, naming the setting that is probably wrong. */
export function withHint(
  error: ApiError,
  { labels, keyRemedy }: Pick<Endpoint, "labels" | "keyRemedy">,
): ApiError {
  const { likelyCause, status = 0 } = error.details;
  if (likelyCause === undefined) return error;
  // A wrong key leads to a log-in page, and so does a wrong address.
  const isEither = likelyCause === "key" && status >= 300 && status < 400;
  const remedy = isEither
    ? `check ${labels.key} and ${labels.baseUrl}`
    : likelyCause === "key"
      ? keyRemedy()
      : `check ${labels.baseUrl}`;
  const details = { ...error.details, label: labels[likelyCause], remedy };
  return error instanceof UnexpectedAnswer
    ? new UnexpectedAnswer(error.request, error.what, details)
    : new ApiError(error.request, error.failure, error.what, details);
}
