/**
 * What the engine's process for dynamic resources loads. It is not for programs.
 *
 * @module pulumi-tracking/host
 */
import type * as dynamic from "@pulumi/pulumi/dynamic";
import { createApi } from "../../api/client";
import type { Endpoint } from "../../config";
import { Notices } from "../../notices";
import { Refusals } from "../../refusals";
import { type Catalogue, catalogue } from "../../resources";
import type { Resource } from "../../schema/resource";
import { createSession } from "../../session";
import { addressOf } from "../engine";
import { FILE_LINES, marshal, unmarshal } from "../marshal";
import { ledgerAt } from "../run-file";
import { bagOf, hasProvider } from "./bag";
import { asEngineError } from "./engine-error";
import { log } from "./log";

/** Shared by all resources of this process. */
const shared = {
  log,
  notices: new Notices(log.warn),
  refusals: new Refusals(),
  ledger: ledgerAt(addressOf(), log.warn),
  running: {},
  connect: (endpoint: Endpoint) => createApi(endpoint, log),
};

/** One resource's provider, as the process that serves dynamic resources calls it. */
function host(resource: Resource): Required<dynamic.ResourceProvider> {
  const session = createSession(resource, shared);

  return {
    configure: async ({ config }) => session.configure({ get: (key) => config.get(`tracking:${key}`) }),

    check: (olds, news) =>
      asEngineError(resource, news, async () => {
        const lines = news[FILE_LINES];
        // The engine does not name the resource to a dynamic provider.
        const { values, failures } = await session.check(unmarshal(olds), unmarshal(news), {}, lines);
        return {
          inputs: bagOf(resource, values, news),
          // With a property's name the engine would print its value, a secret's too.
          failures: failures.map((reason) => ({ property: "", reason })),
        };
      }),

    diff: (id, olds, news) =>
      asEngineError(resource, news, async () => {
        const { changes, replaces } = await session.diff(id, unmarshal(olds), unmarshal(news));
        // State from the plugin lacks the `__provider` code, without which a refresh would not find this package.
        return { changes: changes || !hasProvider(olds), replaces: [...replaces] };
      }),

    create: (inputs) =>
      asEngineError(resource, inputs, async () => {
        const { id, state } = await session.create(unmarshal(inputs));
        return { id, outs: marshal(resource, state) };
      }),

    read: (id, props = {}) =>
      asEngineError(resource, props, async () => {
        const found = await session.read(id, unmarshal(props));
        // To the engine, an empty answer means "gone".
        if (found === undefined) return {};
        const bag = bagOf(resource, found.state, props);
        return { id: found.id, props: bag, inputs: { ...bag } };
      }),

    update: (id, olds, news) =>
      asEngineError(resource, news, async () => {
        const state = await session.update(id, unmarshal(olds), unmarshal(news));
        return { outs: marshal(resource, state) };
      }),

    delete: (id, props) => asEngineError(resource, props, () => session.delete(id, unmarshal(props))),
  };
}

/** One provider for each resource of the catalogue, by type. */
const hosts = Object.fromEntries(catalogue.map((each) => [each.type, host(each)])) as Record<
  Catalogue[number]["type"],
  ReturnType<typeof host>
>;
export const {
  /** The `__provider` code in every website's state loads this export, so its name can never change. */
  Website,
  /** The `__provider` code in every pixel's state loads this export, so its name can never change. */
  Pixel,
} = hosts;
