import type { ApiError } from "../../provider/api/api";
import type { Endpoint } from "../../provider/config/endpoint";
import type { Code, Finding } from "./finding";

/** How one service answered to one key. */
export interface ServiceCheck {
  readonly stacks: readonly string[];
  readonly endpoint: Endpoint;
  /** The service as people know it, such as `websites`. */
  readonly title: string;
  /** What it answered with, such as `12 websites`; or how it failed. */
  readonly outcome: string | ApiError;
}

/** What there is to say of a service's answer. */
export function serviceFinding({ stacks, endpoint, title, outcome }: ServiceCheck): Finding {
  const about = { topic: "services", stacks, service: endpoint.service } as const;
  if (typeof outcome === "string")
    return {
      ...about,
      severity: "info",
      code: "service-ok",
      message: `${title}: ${endpoint.baseUrl} answers to the key of ${endpoint.labels.key} (${outcome})`,
    };
  const code = codeOf(outcome, endpoint);
  return {
    ...about,
    severity: code === "rate-limited" ? "warning" : "error",
    code,
    message: `${title}: ${what(outcome)}`,
    remedy: remedies[code](endpoint, title),
  };
}

/** What happened, and at which address; where nothing was answered, the exchange names it itself. */
function what({ what: happened, details, request: { path } }: ApiError): string {
  return details.status === undefined ? happened : `${happened} [${path}]`;
}

type Failing = Extract<
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

function codeOf({ failure, details }: ApiError, { service }: Endpoint): Failing {
  const { status } = details;
  if (failure === "unsent") return "unreachable";
  if (status === undefined) return "unreachable";
  if (status < 300) return details.likelyCause === "key" ? "key-rejected" : "wrong-service";
  if (status < 400) return "redirected";
  if (status === 403) return "forbidden";
  if (status === 429) return "rate-limited";
  if (failure === "unauthorised") return "key-rejected";
  if (status >= 500) return "service-error";
  if (details.likelyCause === "baseUrl") return "wrong-base-url";
  // The marketplace has no answer of its own for a wrong key, and says so to the account's details alone.
  return service === "market" ? "key-rejected" : "service-error";
}

const remedies: Readonly<Record<Failing, (endpoint: Endpoint, title: string) => string>> = {
  unreachable: ({ labels }) =>
    `check ${labels.baseUrl}, and the network: name, port, proxy (HTTPS_PROXY, NO_PROXY) and certificates (NODE_EXTRA_CA_CERTS)`,
  redirected: ({ labels }) =>
    `set ${labels.baseUrl} to the service's own address: https:// rather than http://, its final host, and no page of its website`,
  "wrong-service": ({ labels }) =>
    `set ${labels.baseUrl} to the address of the service's API, which is what stands before /api; this one is of something else`,
  "wrong-base-url": ({ labels }) =>
    `set ${labels.baseUrl} to what stands before /api, with the service's path prefix if it has one`,
  "key-rejected": ({ labels, service }, title) =>
    `check ${labels.key}: the key is in the account's workspace settings; where ${title} have a key of their own, set tracking:${service}ApiKey`,
  forbidden: ({ labels, service }, title) =>
    `ask the service whether the account's plan has API access; if ${labels.key} is a key for other services only, set tracking:${service}ApiKey to one for ${title}`,
  "rate-limited": () => "wait a minute, and see to it that not too many programs share the key",
  "service-error": () => "try again later; if it stays so, ask those who run the service",
};
