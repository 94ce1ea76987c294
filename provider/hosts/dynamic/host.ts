import type * as dynamic from "@pulumi/pulumi/dynamic";
import type { Logger } from "../../api/client";
import { sanitize } from "../../api/redact";
import { PartialFailure } from "../../lifecycle";
import { type Catalogue, catalogue } from "../../resources";
import { pick } from "../../schema/compare";
import type { Resource, Values } from "../../schema/resource";
import { createSession, RunState } from "../../session";
import { addressOf, endWithEngine } from "../engine";
import {
  markSecrets,
  marshal,
  type PropertyMap,
  RESOURCE_HINTS,
  type ResourceHints,
  unmarshal,
} from "../marshal";
import { ledgerAt } from "../run-file";
import { PROVIDER } from "./code";

/**
 * The engine shows lines of standard output as messages, and lines of standard error as details. A dynamic provider has no other
 * connection with it (pulumi/pulumi#6065).
 */
const log: Logger = {
  warn: (text) => console.log(sanitize(text)),
  debug: (text) => console.error(sanitize(text)),
};

/** Shared by all resources of this process. */
const shared = new RunState(log, ledgerAt(addressOf()));

endWithEngine();

/** One resource's provider, as the process that serves dynamic resources calls it. */
function host(resource: Resource): Required<dynamic.ResourceProvider> {
  const session = createSession(resource, shared);

  /** Values as a property map, with the `__provider` code of one of the engine's. */
  function withCode(values: Values, { [PROVIDER]: code }: PropertyMap): PropertyMap {
    return { ...marshal(resource, values), [PROVIDER]: code };
  }

  /** After a partial failure, the engine keeps the id, prints the reasons, and calls update the next time. */
  async function write<T>(news: PropertyMap, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof PartialFailure)) throw error;
      const { id, message, state } = error;
      throw Object.assign(new Error(message), { id, properties: withCode(state, news), reasons: [message] });
    }
  }

  return {
    configure: async ({ config }) => session.configure({ get: (key) => config.get(`tracking:${key}`) }),

    check: async (olds, news) => {
      // Absent in an import, or if a program ignores all changes.
      const { secrets = [], urn }: ResourceHints = JSON.parse(news[RESOURCE_HINTS] ?? "{}");
      // Else the values of secrets that the program names would not be hidden.
      const hide = (properties: PropertyMap) =>
        unmarshal(markSecrets(properties, (name) => secrets.includes(name)));
      const { values, failures } = await session.check(hide(olds), hide(news), urn);
      return {
        inputs: withCode(values, news),
        // With the name of a property, the engine prints its value, including a secret's (pulumi/pulumi#19465).
        failures: failures.map((reason) => ({ property: "", reason })),
      };
    },

    diff: async (id, olds, news) => {
      const { changed, replaces } = await session.diff(id, unmarshal(olds), unmarshal(news));
      // State from the plugin lacks the `__provider` code, without which a refresh would not find this package.
      return { changes: changed.length > 0 || !(PROVIDER in olds), replaces };
    },

    create: (inputs) =>
      write(inputs, async () => {
        const { id, state } = await session.create(unmarshal(inputs));
        return { id, outs: marshal(resource, state) };
      }),

    read: async (id, props = {}) => {
      const state = unmarshal(props);
      const found = await session.read(id, state);
      // To the engine, an empty answer means "gone".
      if (found === undefined) return {};
      return {
        id: found.id,
        props: withCode(found.state, props),
        // Without inputs, a refresh would show a difference that is none.
        inputs: withCode(pick(resource, found.state), props),
      };
    },

    update: (id, olds, news) =>
      write(news, async () => {
        const state = await session.update(id, unmarshal(olds), unmarshal(news));
        return { outs: marshal(resource, state) };
      }),

    delete: (id, props) => session.delete(id, unmarshal(props)),
  };
}

/** One provider for each resource of the catalogue, by type. */
export const hosts = Object.fromEntries(
  catalogue.map((resource) => [resource.type, host(resource)]),
) as Record<Catalogue[number]["type"], ReturnType<typeof host>>;
