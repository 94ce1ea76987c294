import { type Api, ApiError } from "../../provider/api/api";
import { createApi, type Logger } from "../../provider/api/client";
import { describeNone } from "../../provider/lifecycle/account";
import { describeRecord, IMPORT } from "../../provider/lifecycle/errors";
import { ACCOUNT_REQUEST } from "../../provider/lookups/marketplace";
import { catalogue } from "../../provider/resources";
import type { RemoteRecord } from "../../provider/schema/codec";
import { format, formatIds } from "../../provider/schema/format";
import { canonicalKey, isSameRecord } from "../../provider/schema/identity";
import { noun, type Resource } from "../../provider/schema/resource";
import { groupsBy } from "../alike";
import { countOf, type RecordList, ServiceRecords } from "../service-records";
import type { Finding } from "./report";
import type { Connection } from "./settings";
import { aboutRecord, type StackRecord } from "./state";

/** A record on a service, and the stacks that use the service. */
export interface ListedRecord extends RemoteRecord {
  readonly resource: Resource;
  readonly baseUrl: string;
  readonly stacks: readonly string[];
}

/** Whether a record may be in no stack, or one of several with its domain or name. */
export type IsIgnored = (record: Pick<ListedRecord, "resource" | "values">) => boolean;

/** What a service says, and which resources of the stacks have the id of another record. */
export interface Answer {
  readonly found: readonly Finding[];
  readonly listed: readonly ListedRecord[];
  readonly strangers: readonly StackRecord[];
}

/** Asks a service for all its records, and whether those that stacks manage exist. Nothing is written. */
export async function serviceFindings(
  connection: Connection,
  logger: Logger,
  isIgnored: IsIgnored,
): Promise<Answer> {
  const { endpoint, stacks, records } = connection;
  const { service, baseUrl, labels } = endpoint;
  const about = { stacks, service };
  const kinds = catalogue.filter((each) => each.service === service);
  const title = kinds.map((each) => `${noun(each)}s`).join(" and ") || "marketplace";
  const api = createApi(endpoint, logger);
  const account = new ServiceRecords(() => api);
  const answer = { found: [] as Finding[], listed: [] as ListedRecord[], strangers: [] as StackRecord[] };
  const counts: string[] = [];
  try {
    if (service === "market") await askMarketplace(api, logger);
    for (const resource of kinds) {
      const list = await account.list(resource);
      counts.push(`${list.complete ? "" : "at least "}${countOf(resource, list.records)}`);
      answer.listed.push(...list.records.map((each) => ({ ...each, resource, baseUrl, stacks })));
      const held = records.filter((own) => own.resource === resource && !own.isLeaving);
      const { found, strangers } = await heldFindings(held, list, account, connection);
      answer.strangers.push(...strangers);
      answer.found.push(
        ...found,
        ...duplicates(resource, list, isIgnored).map((each) => ({ ...about, ...each })),
      );
    }
    const what = counts.join(", ") || "the account's details";
    const message = `${title}: ${baseUrl} accepts the key of ${labels.key} (${what})`;
    answer.found.unshift({ ...about, severity: "info", code: "service-ok", message });
    return answer;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { found: [{ ...about, ...failure(error, title, service) }], listed: [], strangers: [] };
  }
}

/** Reads the account's details. If they are not there, another address shows whether the whole interface is off. */
async function askMarketplace(api: Api, { warn }: Logger): Promise<void> {
  const { getAccount } = await import("../../provider/lookups/index.js");
  // A message of the marketplace means that the interface is there, and rejects the key.
  const isOff = (error: unknown): error is ApiError =>
    error instanceof ApiError &&
    [404, 410].includes(error.details.status ?? 0) &&
    error.details.likelyCause !== "key";
  try {
    await getAccount.invoke({}, { api, warn });
  } catch (error) {
    if (!isOff(error)) throw error;
    const other = await api({ ...ACCOUNT_REQUEST, path: "/api/items/all" }).catch((each: unknown) => each);
    if (!isOff(other)) throw error;
    const { status } = error.details;
    const what = `its API seems to be off, because each address of it that was asked answers ${status}`;
    const remedy =
      "check tracking:marketBaseUrl; if it is right, ask the marketplace's operators to switch the API on";
    throw new ApiError(error.request, error.failure, what, { status, remedy });
  }
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

/** Whether the records that stacks manage are what their ids lead to. */
async function heldFindings(
  held: readonly StackRecord[],
  { byId }: RecordList,
  account: ServiceRecords,
  { endpoint, stacks }: Connection,
): Promise<Pick<Answer, "found" | "strangers">> {
  const isSame = (own: StackRecord, record?: RemoteRecord) =>
    record !== undefined && isSameRecord(own.resource, own.values, record);
  const doubtful = held.filter((each) => !isSame(each, byId.get(each.id)));
  const none = describeNone(held.length, held.length - doubtful.length);
  const [first] = doubtful;
  // A record that the list lacks may exist all the same. If none of several does, the others need not be asked for.
  if (none !== undefined && first !== undefined && !isSame(first, await account.fetch(first)))
    return { found: [wrongAccount(none, endpoint, stacks)], strangers: doubtful };
  const found: Finding[] = [];
  const strangers: StackRecord[] = [];
  for (const each of doubtful) {
    const record = byId.get(each.id) ?? (await account.fetch(each));
    if (isSame(each, record)) continue;
    if (record !== undefined) strangers.push(each);
    found.push(record === undefined ? gone(each) : stranger(each, record));
  }
  return { found, strangers };
}

function wrongAccount(
  none: string,
  { labels, service, baseUrl }: Connection["endpoint"],
  stacks: readonly string[],
): Finding {
  const message = `At ${baseUrl}, ${none}: the key or the address is probably that of another one`;
  const remedy = `Check ${labels.key} and ${labels.baseUrl}. If they are right, "${IMPORT}" says what became of the records`;
  return { stacks, service, severity: "error", code: "wrong-account", message, remedy };
}

function gone(held: StackRecord): Finding {
  const message = `The ${describeRecord(held)} of "${held.name}" does not exist on the service`;
  const remedy =
    'If the base URL or the key belongs to another account, correct it; else run "pulumi up --refresh", which recreates the record';
  return { ...aboutRecord(held), severity: "error", code: "record-missing", message, remedy };
}

function stranger(held: StackRecord, record: RemoteRecord): Finding {
  const { resource, name } = held;
  const key = format(undefined, record.values[resource.key]);
  const message = `The ${describeRecord(held)} of "${name}" is ${key} on the service, under this id`;
  const remedy = `If the base URL or the key belongs to another account, correct it; else run "${IMPORT}", which finds the record of "${name}"`;
  return { ...aboutRecord(held), severity: "error", code: "wrong-id", message, remedy };
}

/** Records that have the same domain or name. */
function duplicates(
  resource: Resource,
  { records }: RecordList,
  isIgnored: IsIgnored,
): Omit<Finding, "stacks" | "service">[] {
  return groupsBy(records, ({ values }) => canonicalKey(resource, values)).flatMap((group) => {
    const [first, second] = group;
    if (second === undefined || isIgnored({ ...first, resource })) return [];
    const key = format(resource.inputs[resource.key], first.values[resource.key]);
    const message = `The service has ${countOf(resource, group)} with the ${resource.key} ${key} (${formatIds(group)})`;
    const remedy =
      "Let a stack manage the one that has the data, and delete the others in the service's web interface";
    return { severity: "warning", code: "duplicate-record", message, remedy };
  });
}
