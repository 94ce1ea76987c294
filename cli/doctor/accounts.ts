import { ApiError } from "../../provider/api/api";
import { createApi, type Logger } from "../../provider/api/client";
import { RecordReader } from "../../provider/api/record-reader";
import { type Endpoint, endpoint } from "../../provider/config/endpoint";
import { catalogue } from "../../provider/resources";
import { noun, type Resource, type Service } from "../../provider/schema/resource";
import { collectionOf, type Found, unlike } from "../../provider/schema/wire";
import { listingOf } from "../account";
import type { Used } from "./settings";
import type { Setup } from "./setup";
import type { Held } from "./state";

/** One key at one service, and the set-ups that use it. */
export interface Account {
  readonly endpoint: Endpoint;
  readonly setups: readonly Setup[];
}

/** What came of asking an account: what it answered with, or how it failed; and the lists, where it answered. */
export interface Asked {
  readonly outcome: string | ApiError;
  readonly listings: readonly {
    readonly resource: Resource;
    readonly records: readonly Found[];
    readonly whole: boolean;
    readonly beyond: ReadonlyMap<string, Found>;
  }[];
}

/** Every service, as people know it. */
export function servicesBeside(held: readonly Held[]): Used[] {
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
export function accountsOf(setups: readonly Setup[], isUsable: (service: Service, setup: Setup) => boolean) {
  const accounts = new Map<string, { endpoint: Endpoint; setups: Setup[] }>();
  for (const setup of setups)
    for (const { service } of servicesBeside([])) {
      if (!isUsable(service, setup)) continue;
      const known = endpoint(service, setup.source, setup.env);
      const name = JSON.stringify([service, known.baseUrl, known.key]);
      const account = accounts.get(name);
      if (account === undefined) accounts.set(name, { endpoint: known, setups: [setup] });
      else account.setups.push(setup);
    }
  return [...accounts.values()];
}

/** Asks a service for all that it shows to a key; nothing is written. `held` are the records that it should have. */
export async function ask(account: Account, held: readonly Held[], voice: Logger): Promise<Asked> {
  const api = createApi(account.endpoint, voice);
  try {
    if (account.endpoint.service === "market") {
      const { getAccount } = await import("../../provider/lookups/index.js");
      await getAccount.ask({}, { api, warn: voice.warn });
      return { outcome: "the account's details", listings: [] };
    }
    const listings = [];
    for (const resource of catalogue.filter(({ service }) => service === account.endpoint.service)) {
      const reader = new RecordReader(api, collectionOf(resource));
      const { records, whole } = await listingOf(api, resource);
      const listed = new Map(records.map((each) => [each.id, each]));
      const beyond = new Map<string, Found>();
      // What a list leaves out is not gone for that; and what it says otherwise than state may be of yesterday.
      for (const { id } of held.filter(
        (each) => each.resource === resource && differs(each, listed.get(each.id)),
      )) {
        const found = await reader.fetch(id);
        if (found !== undefined) beyond.set(id, found);
      }
      listings.push({ resource, records, whole, beyond });
    }
    return { outcome: listings.map(counted).join(", "), listings };
  } catch (error) {
    if (error instanceof ApiError) return { outcome: error, listings: [] };
    throw error;
  }
}

function differs({ resource, values, replaced }: Held, listed: Found | undefined): boolean {
  if (listed === undefined) return true;
  return !replaced && unlike(resource, values, Object.keys(resource.inputs), listed).length > 0;
}

function counted({ resource, records }: { resource: Resource; records: readonly Found[] }): string {
  return `${records.length} ${noun(resource)}${records.length === 1 ? "" : "s"}`;
}
