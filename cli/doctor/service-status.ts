import type { ApiError } from "../../provider/api/api";
import type { Endpoint } from "../../provider/config";
import { type Code, type Finding, finding } from "./finding";
import { titleOf } from "./services";

/** How a service answered to a key: what it has, such as `12 websites`; or how it failed. */
export function serviceFinding(
  stacks: readonly string[],
  endpoint: Endpoint,
  outcome: string | ApiError,
): Finding {
  const { service, baseUrl, labels } = endpoint;
  const [about, title] = [{ stacks, service }, titleOf(service)];
  if (typeof outcome === "string") {
    const message = `${title}: ${baseUrl} accepts the key of ${labels.key} (${outcome})`;
    return finding("info", "service-ok", about, message);
  }
  const code = codeOf(outcome, endpoint);
  const severity = code === "rate-limited" ? "warning" : "error";
  return finding(severity, code, about, `${title}: ${describe(outcome)}`, remedies[code](endpoint, title));
}

/** What happened, and at which address; where there was no answer, the error names it itself. */
function describe({ what, details, request: { path } }: ApiError): string {
  return details.status === undefined ? what : `${what} [${path}]`;
}

type FailureCode = Extract<
  Code,
  | "unreachable"
  | "redirected"
  | "wrong-service"
  | "wrong-base-url"
  | "key-rejected"
  | "forbidden"
  | "rate-limited"
  | "service-error"
>;

function codeOf({ failure, details }: ApiError, { service }: Endpoint): FailureCode {
  const { status, likelyCause } = details;
  if (failure === "unsent" || status === undefined) return "unreachable";
  if (status < 300) return likelyCause === "key" ? "key-rejected" : "wrong-service";
  if (status < 400) return "redirected";
  if (status === 403) return "forbidden";
  if (status === 429) return "rate-limited";
  if (failure === "unauthorised") return "key-rejected";
  if (status >= 500) return "service-error";
  if (likelyCause === "baseUrl") return "wrong-base-url";
  // The marketplace has no answer of its own for a wrong key, and says so to the account's details alone.
  return service === "market" ? "key-rejected" : "service-error";
}

const remedies: Readonly<Record<FailureCode, (endpoint: Endpoint, title: string) => string>> = {
  unreachable: ({ labels }) =>
    `Check ${labels.baseUrl}, and the network: host name, port, proxy (HTTPS_PROXY, NO_PROXY) and certificates (NODE_EXTRA_CA_CERTS)`,
  redirected: ({ labels }) =>
    `Set ${labels.baseUrl} to the service's own address: https:// instead of http://, the final host, and no page of the website`,
  "wrong-service": ({ labels }) =>
    `Set ${labels.baseUrl} to the address of the service's API, the part before /api; this address is another server's`,
  "wrong-base-url": ({ labels }) =>
    `Set ${labels.baseUrl} to the part before /api, with the service's path prefix if it has one`,
  "key-rejected": ({ labels, service }, title) =>
    `Check ${labels.key}: the key is in the account's workspace settings; if ${title} need a key of their own, set tracking:${service}ApiKey`,
  forbidden: ({ labels, service }, title) =>
    `Ask the service whether the account's plan includes API access; if ${labels.key} is a key for other services only, set tracking:${service}ApiKey to one for ${title}`,
  "rate-limited": () => "Wait a minute, and check how many programs share the key",
  "service-error": () => "Try again later; if it continues, contact the service's operators",
};
