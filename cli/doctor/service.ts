import { ApiError } from "../../provider/api/api";
import { createApi, type Logger } from "../../provider/api/client";
import { describeRecord } from "../../provider/lifecycle/errors";
import { RecordReader } from "../../provider/records/reader";
import { catalogue } from "../../provider/resources";
import type { RemoteRecord } from "../../provider/schema/codec";
import { format, formatIds } from "../../provider/schema/format";
import { canonicalKey, isSameRecord } from "../../provider/schema/identity";
import { noun, type Resource } from "../../provider/schema/resource";
import { countOf, readRecordList } from "../service-records";
import type { Finding } from "./report";
import type { Connection } from "./settings";
import { aboutRecord, groupsBy } from "./state";

/** A record on a service, and the stacks that use the service. */
export interface ListedRecord extends RemoteRecord {
  readonly resource: Resource;
  readonly baseUrl: string;
  readonly stacks: readonly string[];
}

/** Asks a service for all its records, and whether those that stacks manage exist. Nothing is written. */
export async function serviceFindings({ endpoint, stacks, records }: Connection, logger: Logger) {
  const { service, baseUrl, labels } = endpoint;
  const about = { stacks, service };
  const kinds = catalogue.filter((each) => each.service === service);
  const title = kinds.map((each) => `${noun(each)}s`).join(" and ") || "marketplace";
  const api = createApi(endpoint, logger);
  const found: Finding[] = [];
  const listed: ListedRecord[] = [];
  const counts: string[] = [];
  try {
    if (service === "market") {
      const { getAccount } = await import("../../provider/lookups/index.js");
      await getAccount.invoke({}, { api, warn: logger.warn });
    }
    for (const resource of kinds) {
      const list = await readRecordList(api, resource);
      counts.push(`${list.complete ? "" : "at least "}${countOf(resource, list.records)}`);
      listed.push(...list.records.map((each) => ({ ...each, resource, baseUrl, stacks })));
      const reader = new RecordReader(api, resource);
      for (const each of records.filter((own) => own.resource === resource && !own.isLeaving)) {
        const isSame = (record?: RemoteRecord) => record && isSameRecord(resource, each.values, record);
        if (isSame(list.records.find(({ id }) => id === each.id))) continue;
        // A record that the list lacks may exist all the same, and what the list shows may be out of date.
        if (isSame(await reader.fetch(each.id))) continue;
        const message = `The ${describeRecord(each)} of "${each.name}" does not exist on the service`;
        // That command refuses an id that has become another record's, and says what to do.
        const remedy =
          'If the base URL or the key belongs to another account, correct it; else run "pulumi up --refresh", which recreates the record';
        found.push({ ...aboutRecord(each), severity: "error", code: "record-missing", message, remedy });
      }
      for (const group of groupsBy(list.records, ({ values }) => canonicalKey(resource, values))) {
        if (group.length === 1) continue;
        const key = format(resource.inputs[resource.key], group[0].values[resource.key]);
        const message = `The service has ${countOf(resource, group)} with the ${resource.key} ${key} (${formatIds(group)})`;
        const remedy =
          "Let a stack manage the one that has the data, and delete the others in the service's web interface";
        found.push({ ...about, severity: "warning", code: "duplicate-record", message, remedy });
      }
    }
    const what = counts.join(", ") || "the account's details";
    const message = `${title}: ${baseUrl} accepts the key of ${labels.key} (${what})`;
    found.unshift({ ...about, severity: "info", code: "service-ok", message });
    return { found, listed };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status = 0, likelyCause, remedy = "try again later, or ask its operators" } = error.details;
    const isKey = status === 403 || (likelyCause === "key" && status >= 400);
    const code = isKey ? "key-rejected" : "service-error";
    const own = isKey ? `; if ${title} need a key of their own, set tracking:${service}ApiKey` : "";
    // Without an answer, the error names the address itself.
    const message = `${title}: ${error.what}${status === 0 ? "" : ` [${error.details.url ?? error.request.path}]`}`;
    const failed: Finding = { ...about, severity: "error", code, message, remedy: remedy + own };
    return { found: [failed], listed: [] };
  }
}
