import { ApiError, type Request } from "./api";

/** How long a rejected key is not sent again, in milliseconds. After that, the service may accept it. */
const MAX_AGE_MS = 10_000;

/**
 * Answers further requests once a service has rejected the key, since a service may ban an address that goes on. It has
 * no clock: callers pass times in milliseconds.
 */
export class RejectedKey {
  private rejection: { readonly error: ApiError; readonly until: number } | undefined;

  /** The key worked. */
  accepted(): void {
    this.rejection = undefined;
  }

  /** A request failed. Only a 401 says that the key is rejected. */
  failed(error: ApiError, now: number): void {
    if (error.details.status === 401) this.rejection = { error, until: now + MAX_AGE_MS };
  }

  /** The failure of a request that need not be sent, if any. */
  refusal(request: Request, now: number): ApiError | undefined {
    if (this.rejection === undefined || now >= this.rejection.until) return undefined;
    const { failure, what, details } = this.rejection.error;
    return new ApiError(request, failure, what, details);
  }
}
