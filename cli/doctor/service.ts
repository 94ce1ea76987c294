import { ApiError } from "../../provider/api/api";
import { createApi, type Logger } from "../../provider/api/client";
import { describeRecord, IMPORT, READOPT, waysOfRename } from "../../provider/lifecycle/errors";
import { catalogue } from "../../provider/resources";
import type { RemoteRecord } from "../../provider/schema/codec";
import { format, formatIds } from "../../provider/schema/format";
import { canonicalKey } from "../../provider/schema/identity";
import { noun, type Resource } from "../../provider/schema/resource";
import { groupsBy } from "../alike";
import { countOf, type Differing, ServiceRecords } from "../service-records";
import type { Finding } from "./report";
import type { Connection } from "./settings";
import { aboutRecord } from "./state";

/** A record on a service, and the stacks that use the service. */
export interface ListedRecord extends RemoteRecord {
  readonly resource: Resource;
  readonly baseUrl: string;
  readonly stacks: readonly string[];
}

/**
 * Asks a service for all its records, and whether those that stacks manage exist: `differing` are the resources that do
 * not have the record that is in their state. Nothing is written.
 *
 * @param ignores whether a record with this key may be in no stack, or one of several with it
 */
export async function serviceFindings(
  { endpoint, stacks, records }: Connection,
  logger: Logger,
  ignores: (key: string) => boolean = () => false,
) {
  const { service, baseUrl, labels } = endpoint;
  const about = { stacks, service };
  const resources = catalogue.filter((each) => each.service === service);
  const title = resources.map((each) => `${noun(each)}s`).join(" and ") || "marketplace";
  const api = createApi(endpoint, logger);
  const remote = new ServiceRecords(() => api);
  const answer = {
    found: [] as Finding[],
    listed: [] as ListedRecord[],
    /** Those that share their domain or name with another one. */
    twins: [] as ListedRecord[],
    differing: [] as Differing[],
    /** Those whose list may lack records. */
    incomplete: [] as Resource[],
  };
  const counts: string[] = [];
  try {
    if (service === "market") {
      const { getAccount } = await import("../../provider/lookups/index.js");
      await getAccount.invoke({}, { api, warn: logger.warn });
    }
    for (const resource of resources) {
      const list = await remote.list(resource);
      if (!list.complete) answer.incomplete.push(resource);
      counts.push(`${list.complete ? "" : "at least "}${countOf(resource, list.records)}`);
      const others = list.records
        .filter(({ values }) => !ignores(String(values[resource.key])))
        .map((each) => ({ ...each, resource, baseUrl, stacks }));
      const twins = groupsBy(others, ({ values }) => canonicalKey(resource, values)).filter(
        ([, other]) => other,
      );
      answer.listed.push(...others);
      answer.twins.push(...twins.flat());
      const held = records.filter((own) => own.resource === resource && !own.isLeaving);
      const { differing, doubt } = await remote.compare(resource, held);
      answer.differing.push(...differing);
      answer.found.push(
        ...(doubt === undefined
          ? differing.map(differingFinding)
          : [{ ...about, ...wrongAccount(doubt, endpoint) }]),
        ...twins.map((each) => ({ ...about, ...duplicate(resource, each) })),
      );
    }
    const what = counts.join(", ") || "the account's details";
    const message = `${title}: ${baseUrl} accepts the key of ${labels.key} (${what})`;
    answer.found.unshift({ ...about, severity: "info", code: "service-ok", message });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    answer.found.push({ ...about, ...failure(error, title, service) });
  }
  return answer;
}

/** Why nothing more is known of a service. */
function failure(error: ApiError, title: string, service: string): Omit<Finding, "stacks"> {
  const { status = 0, likelyCause, remedy = "try again later, or ask its operators" } = error.details;
  const isKey = status === 403 || (likelyCause === "key" && status >= 400);
  const own = isKey ? `; if ${title} need a key of their own, set tracking:${service}ApiKey` : "";
  // Without an answer, the error names the address itself.
  const message = `${title}: ${error.what}${status === 0 ? "" : ` [${error.details.url ?? error.request.path}]`}`;
  return { severity: "error", code: isKey ? "key-rejected" : "service-error", message, remedy: remedy + own };
}

function wrongAccount(doubt: string, { labels, baseUrl }: Connection["endpoint"]): Omit<Finding, "stacks"> {
  const message = `At ${baseUrl}, ${doubt}: the key or the address is probably that of another one`;
  const remedy = `Check ${labels.key} and ${labels.baseUrl}. If they are right, "${IMPORT}" says what became of the records`;
  return { severity: "error", code: "wrong-account", message, remedy };
}

/** A stack's record is not under its id. */
function differingFinding({ held, found, code, elsewhere }: Differing): Finding {
  const { resource, name } = held;
  const [fact, way] =
    code === "wrong-id"
      ? [`has another id on the service now (${formatIds(elsewhere)})`, READOPT]
      : found === undefined
        ? ["does not exist on the service", 'run "pulumi up --refresh", which recreates the record']
        : [`is ${format(undefined, found.values[resource.key])} on the service now`, waysOfRename(resource)];
  return {
    ...aboutRecord(held),
    severity: "error",
    code,
    message: `The ${describeRecord(held)} of "${name}" ${fact}`,
    remedy: `If the base URL or the key belongs to another account, correct it; else ${way}`,
  };
}

/** Records of an account that have the same domain or name. */
function duplicate(
  resource: Resource,
  twins: readonly [RemoteRecord, ...RemoteRecord[]],
): Omit<Finding, "stacks" | "service"> {
  const key = format(resource.inputs[resource.key], twins[0].values[resource.key]);
  const message = `The service has ${countOf(resource, twins)} with the ${resource.key} ${key} (${formatIds(twins)})`;
  const remedy =
    "Let a stack manage the one that has the data, and delete the others in the service's web interface";
  return { severity: "warning", code: "duplicate-record", message, remedy };
}
