import { ApiError } from "../../provider/api/api";
import { createApi, type Logger } from "../../provider/api/client";
import { RecordReader } from "../../provider/api/record-reader";
import { type Endpoint, endpoint } from "../../provider/config/endpoint";
import { catalogue } from "../../provider/resources";
import type { RemoteRecord } from "../../provider/schema/codec";
import { collectionOf } from "../../provider/schema/collection";
import { mismatches } from "../../provider/schema/compare";
import { noun, type Resource, type Service } from "../../provider/schema/resource";
import { readRecordList } from "../service-records";
import type { ProviderSettings } from "./provider-settings";
import type { KnownService } from "./settings";
import type { StackResource } from "./state";

/** One key at one service, and the set-ups that use it. */
export interface Connection {
  readonly endpoint: Endpoint;
  readonly users: readonly ProviderSettings[];
}

/** What came of asking an account: what it answered with, or how it failed; and the lists, where it answered. */
export interface ServiceData {
  readonly outcome: string | ApiError;
  readonly listings: readonly {
    readonly resource: Resource;
    readonly records: readonly RemoteRecord[];
    readonly complete: boolean;
    readonly fetched: ReadonlyMap<string, RemoteRecord>;
  }[];
}

/** Every service, as people know it. */
export function knownServices(held: readonly StackResource[]): KnownService[] {
  const services = [...new Set(catalogue.map(({ service }) => service))];
  const ours = services.map((service) => {
    const plurals = catalogue.filter((each) => each.service === service).map((each) => `${noun(each)}s`);
    return {
      service,
      title: plurals.join(" and "),
      held: held.some(({ resource }) => resource.service === service),
    };
  });
  return [...ours, { service: "market", title: "marketplace", held: false }];
}

/** The accounts that set-ups open, each once. A set-up that lacks something opens none. */
export function connectionsOf(
  setups: readonly ProviderSettings[],
  isUsable: (service: Service, setup: ProviderSettings) => boolean,
) {
  const accounts = new Map<string, { endpoint: Endpoint; users: ProviderSettings[] }>();
  for (const setup of setups)
    for (const { service } of knownServices([])) {
      if (!isUsable(service, setup)) continue;
      const known = endpoint(service, setup.source, setup.env);
      const name = JSON.stringify([service, known.baseUrl, known.key]);
      const account = accounts.get(name);
      if (account === undefined) accounts.set(name, { endpoint: known, users: [setup] });
      else account.users.push(setup);
    }
  return [...accounts.values()];
}

/** Asks a service for all that it shows to a key; nothing is written. `held` are the records that it should have. */
export async function queryService(
  account: Connection,
  held: readonly StackResource[],
  voice: Logger,
): Promise<ServiceData> {
  const api = createApi(account.endpoint, voice);
  try {
    if (account.endpoint.service === "market") {
      const { getAccount } = await import("../../provider/lookups/index.js");
      await getAccount.invoke({}, { api, warn: voice.warn });
      return { outcome: "the account's details", listings: [] };
    }
    const listings = [];
    for (const resource of catalogue.filter(({ service }) => service === account.endpoint.service)) {
      const reader = new RecordReader(api, collectionOf(resource));
      const { records, complete } = await readRecordList(api, resource);
      const listed = new Map(records.map((each) => [each.id, each]));
      const fetched = new Map<string, RemoteRecord>();
      // What a list leaves out is not gone for that; and what it says otherwise than state may be of yesterday.
      for (const { id } of held.filter(
        (each) => each.resource === resource && differs(each, listed.get(each.id)),
      )) {
        const found = await reader.fetch(id);
        if (found !== undefined) fetched.set(id, found);
      }
      listings.push({ resource, records, complete, fetched });
    }
    return { outcome: listings.map(counted).join(", "), listings };
  } catch (error) {
    if (error instanceof ApiError) return { outcome: error, listings: [] };
    throw error;
  }
}

function differs({ resource, values, replaced }: StackResource, listed: RemoteRecord | undefined): boolean {
  if (listed === undefined) return true;
  return !replaced && mismatches(resource, values, Object.keys(resource.inputs), listed).length > 0;
}

function counted({ resource, records }: { resource: Resource; records: readonly RemoteRecord[] }): string {
  return `${records.length} ${noun(resource)}${records.length === 1 ? "" : "s"}`;
}
