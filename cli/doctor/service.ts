import { ApiError } from "../../provider/api/api";
import { createApi, type Logger } from "../../provider/api/client";
import { RecordReader } from "../../provider/api/record-reader";
import type { Endpoint } from "../../provider/config";
import { describeRecord } from "../../provider/lifecycle/errors";
import { catalogue } from "../../provider/resources";
import type { RemoteRecord } from "../../provider/schema/codec";
import { collectionOf } from "../../provider/schema/collection";
import { format, formatIds } from "../../provider/schema/format";
import { isSameRecord } from "../../provider/schema/identity";
import { noun, type Resource, type Service } from "../../provider/schema/resource";
import { canonicalKey } from "../renamed";
import { countOf, describeIncomplete, readRecordList } from "../service-records";
import { type Code, type Finding, finding } from "./report";
import { type Connection, capitalized } from "./settings";
import { aboutRecord, dropFromStack, groupsOf, type StackRecord } from "./state";

interface Managed {
  /** Everything that stacks manage. */
  readonly held: readonly StackRecord[];
  /** How many of the project's stacks were read. If none was, no record counts as unmanaged. */
  readonly read: "none" | "some" | "all";
}

/** Asks a service, and compares its records with what stacks manage. Nothing is written. */
export async function serviceFindings(
  { endpoint, stacks, records }: Connection,
  managed: Managed,
  logger: Logger,
): Promise<Finding[]> {
  if (endpoint === undefined) return [];
  const { service, baseUrl, labels } = endpoint;
  const about = { stacks, service };
  const api = createApi(endpoint, logger);
  const found: Finding[] = [];
  const counts: string[] = [];
  try {
    if (service === "market") {
      const { getAccount } = await import("../../provider/lookups/index.js");
      await getAccount.invoke({}, { api, warn: logger.warn });
    }
    for (const resource of catalogue.filter((each) => each.service === service)) {
      const { records: listed, complete } = await readRecordList(api, resource);
      counts.push(countOf(resource, listed));
      if (!complete) {
        const remedy = "Ask the service's operators for a list that can be read page by page";
        const message = describeIncomplete(resource, listed);
        found.push(finding("warning", "list-incomplete", about, message, remedy));
      }
      const reader = new RecordReader<RemoteRecord>(api, collectionOf(resource));
      for (const each of records.filter((own) => own.resource === resource && !own.isLeaving)) {
        const shown = listed.find(({ id }) => id === each.id);
        if (shown !== undefined && isSameRecord(resource, each.values, shown)) continue;
        // A record that the list lacks may exist all the same, and what the list shows may be out of date.
        found.push(...missingRecord(each, await reader.fetch(each.id)));
      }
      found.push(...duplicates(resource, listed, about));
      const there = managed.held.filter((each) => each.resource === resource && each.baseUrl === baseUrl);
      const isManaged = ({ id }: RemoteRecord) => there.some((each) => each.id === id);
      const free = managed.read === "none" ? [] : listed.filter((each) => !isManaged(each));
      found.push(...free.map((each) => unmanaged(resource, each, about, managed.read === "all")));
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [failure(error, endpoint, stacks)];
  }
  const what = counts.join(", ") || "the account's details";
  const message = `${titleOf(service)}: ${baseUrl} accepts the key of ${labels.key} (${what})`;
  return [finding("info", "service-ok", about, message), ...found];
}

type About = Pick<Finding, "stacks" | "service">;

function duplicates(resource: Resource, records: readonly RemoteRecord[], about: About): Finding[] {
  return groupsOf(records, ({ values }) => canonicalKey(resource, values)).map((group) => {
    const key = format(resource.inputs[resource.key], group[0].values[resource.key]);
    const message = `The service has ${countOf(resource, group)} with the ${resource.key} ${key} (${formatIds(group)})`;
    const remedy =
      "Let a stack manage the one that has the data, and delete the others in the service's web interface";
    return finding("warning", "duplicate-record", about, message, remedy);
  });
}

function unmanaged(resource: Resource, { values, id }: RemoteRecord, about: About, isAll: boolean): Finding {
  const record = id === undefined ? {} : { record: { type: resource.type, id } };
  const message = `The ${describeRecord({ resource, values, id })} is in no stack ${isAll ? "of this project" : "that was read"}`;
  const remedy = 'Import it with "npx pulumi-tracking import"';
  return finding(isAll ? "warning" : "info", "unmanaged", { ...about, ...record }, message, remedy);
}

/** A service's name for people, such as `websites`. */
function titleOf(service: Service): string {
  const plurals = catalogue.filter((each) => each.service === service).map((each) => `${noun(each)}s`);
  return plurals.join(" and ") || "marketplace";
}

function failure(
  { failure, what, details, request }: ApiError,
  { service }: Endpoint,
  stacks: readonly string[],
) {
  const { status = 0, likelyCause, remedy = "try again later, or contact the service's operators" } = details;
  const isKey = status === 403 || (likelyCause === "key" && status >= 400);
  const isReached = failure !== "unsent" && status !== 0;
  const code: Code = !isReached ? "unreachable" : isKey ? "key-rejected" : "service-error";
  const own = isKey ? `; if ${titleOf(service)} need a key of their own, set tracking:${service}ApiKey` : "";
  // Without an answer, the error names the address itself.
  const message = `${titleOf(service)}: ${what}${status === 0 ? "" : ` [${request.path}]`}`;
  return finding("error", code, { stacks, service }, message, capitalized(remedy) + own);
}

/** @param found the record with the resource's id, as it is now */
function missingRecord(each: StackRecord, found: RemoteRecord | undefined): Finding[] {
  const { resource, name, id, values } = each;
  if (found === undefined) {
    const message = `The ${describeRecord(each)} of "${name}" does not exist on the service`;
    const remedy =
      'Run "pulumi refresh" to remove it from state, then "pulumi up" to recreate it; if the base URL or the key belongs to another account, correct it first';
    return [finding("error", "record-missing", aboutRecord(each), message, remedy)];
  }
  if (isSameRecord(resource, values, found)) return [];
  const other = format(resource.inputs[resource.key], found.values[resource.key] ?? "nothing");
  const message = `The ${noun(resource)} with id ${id} of "${name}" is ${other} on the service, but ${format(undefined, values[resource.key])} in state`;
  const remedy = `Check whether the base URL and the key belong to another account; if the record was really replaced, run ${dropFromStack(each)} and then "npx pulumi-tracking import --declared --apply"`;
  return [finding("error", "record-mismatch", aboutRecord(each), message, remedy)];
}
