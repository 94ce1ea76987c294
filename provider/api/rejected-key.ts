import { ApiError, type Request } from "./api";

/** How long a rejected key is not sent again, in milliseconds. After that, the service may accept it. */
const MAX_AGE_MS = 10_000;

/**
 * Answers further requests once a service has rejected the key, since a service may ban an address that goes on. If the
 * key worked for anything, only the same operation is answered so. It has no clock: callers pass times in milliseconds.
 */
export class RejectedKey {
  private isAccepted = false;
  /** Rejections by operation. One of a key that never worked counts for all of them. */
  private readonly rejections = new Map<string, { readonly error: ApiError; readonly until: number }>();

  /** The key worked. */
  accepted(): void {
    this.isAccepted = true;
    this.rejections.delete("");
  }

  /** A request failed. Only a 401 says that the key is rejected. */
  failed(request: Request, error: ApiError, now: number): void {
    if (error.details.status !== 401) return;
    const operation = this.isAccepted ? operationOf(request) : "";
    this.rejections.set(operation, { error, until: now + MAX_AGE_MS });
  }

  /** The failure of a request that need not be sent, or nothing. */
  refusal(request: Request, now: number): ApiError | undefined {
    const { error, until } = this.rejections.get(this.isAccepted ? operationOf(request) : "") ?? { until: 0 };
    if (error === undefined || now >= until) return undefined;
    return new ApiError(request, error.failure, error.what, error.details);
  }
}

/** An operation is the same for every record. */
function operationOf({ method, path }: Request): string {
  return `${method} ${path.replace(/^(\/api\/v1\/[^/]+\/).*/, "$1")}`;
}
