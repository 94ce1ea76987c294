import { ApiError } from "../../provider/api/api";
import { createApi, type Logger } from "../../provider/api/client";
import { RecordReader } from "../../provider/api/record-reader";
import { type Endpoint, endpoint } from "../../provider/config";
import { catalogue } from "../../provider/resources";
import type { RemoteRecord } from "../../provider/schema/codec";
import { collectionOf } from "../../provider/schema/collection";
import { mismatches } from "../../provider/schema/compare";
import { noun, type Resource, type Service } from "../../provider/schema/resource";
import { readRecordList } from "../service-records";
import type { ProviderSettings } from "./provider-settings";
import { isUsable, type KnownService } from "./settings";
import type { StackResource } from "./state";

/** One key at one service, and the providers that use it. */
export interface Connection {
  readonly endpoint: Endpoint;
  readonly users: readonly ProviderSettings[];
}

/** What a service answered: what it has in words, or how it failed; and its records, where it answered. */
export interface ServiceData {
  readonly outcome: string | ApiError;
  readonly lists: readonly ResourceData[];
}

/** The records of one resource that a service shows to a key. */
export interface ResourceData {
  readonly resource: Resource;
  readonly records: readonly RemoteRecord[];
  /** The list has all records, on proof. */
  readonly complete: boolean;
  /** Managed records that the list lacks, or shows other than state has them, as they are when fetched by id. */
  readonly fetched: ReadonlyMap<string, RemoteRecord>;
}

/** Every service, and whether these resources are records of it. */
export function knownServices(managed: readonly StackResource[]): KnownService[] {
  const services = [...new Set(catalogue.map(({ service }) => service))];
  const ours = services.map((service) => {
    const plurals = catalogue.filter((each) => each.service === service).map((each) => `${noun(each)}s`);
    return {
      service,
      title: plurals.join(" and "),
      managed: managed.some(({ resource }) => resource.service === service),
    };
  });
  return [...ours, { service: "market", title: "marketplace", managed: false }];
}

/** What people call a service, such as `websites`. */
export function titleOf(service: Service): string {
  return knownServices([]).find((each) => each.service === service)?.title ?? service;
}

/** The connections of all providers, each once. A provider that lacks a setting has none. */
export function connectionsOf(providers: readonly ProviderSettings[]): Connection[] {
  const connections = new Map<string, { endpoint: Endpoint; users: ProviderSettings[] }>();
  for (const settings of providers)
    for (const { service } of knownServices([])) {
      if (!isUsable(service, settings)) continue;
      const found = endpoint(service, settings.source, settings.env);
      const id = JSON.stringify([service, found.baseUrl, found.key]);
      const known = connections.get(id);
      if (known === undefined) connections.set(id, { endpoint: found, users: [settings] });
      else known.users.push(settings);
    }
  return [...connections.values()];
}

/** Reads all that a service shows to a key; nothing is written. `managed` are the records it should have. */
export async function queryService(
  { endpoint }: Connection,
  managed: readonly StackResource[],
  logger: Logger,
): Promise<ServiceData> {
  const api = createApi(endpoint, logger);
  try {
    if (endpoint.service === "market") {
      const { getAccount } = await import("../../provider/lookups/index.js");
      await getAccount.invoke({}, { api, warn: logger.warn });
      return { outcome: "the account's details", lists: [] };
    }
    const lists: ResourceData[] = [];
    for (const resource of catalogue.filter(({ service }) => service === endpoint.service)) {
      const reader = new RecordReader(api, collectionOf(resource));
      const { records, complete } = await readRecordList(api, resource);
      const listed = new Map(records.map((each) => [each.id, each]));
      const fetched = new Map<string, RemoteRecord>();
      // A record that the list lacks may exist all the same, and what the list says may be out of date.
      for (const { id } of managed.filter(
        (each) => each.resource === resource && differs(each, listed.get(each.id)),
      )) {
        const found = await reader.fetch(id);
        if (found !== undefined) fetched.set(id, found);
      }
      lists.push({ resource, records, complete, fetched });
    }
    return { outcome: lists.map(countRecords).join(", "), lists };
  } catch (error) {
    if (error instanceof ApiError) return { outcome: error, lists: [] };
    throw error;
  }
}

function differs({ resource, values, replaced }: StackResource, listed: RemoteRecord | undefined): boolean {
  if (listed === undefined) return true;
  return !replaced && mismatches(resource, values, Object.keys(resource.inputs), listed).length > 0;
}

function countRecords({ resource, records }: ResourceData): string {
  return `${records.length} ${noun(resource)}${records.length === 1 ? "" : "s"}`;
}
