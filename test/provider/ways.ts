import {
  create,
  diff,
  PartialFailure,
  type ResourceState,
  read,
  remove,
  update,
} from "../../provider/lifecycle";
import type { Resource, Values } from "../../provider/schema/resource";
import type { Difference } from "../../provider/session";
import { run } from "./harness";
import { fromLine, toLine, toyHost } from "./toy-host";

/** One process that serves a resource, whatever is between it and who asks. */
export interface Process {
  /** What it says by the way. */
  readonly said: string[];
  diff(olds: Values, news: Values): Promise<Difference>;
  create(args: Values): Promise<ResourceState>;
  read(id: string, state: Values): Promise<ResourceState | undefined>;
  update(id: string, olds: Values, news: Values): Promise<Values>;
  delete(id: string, state: Values): Promise<void>;
}

/** Begins a process for a service at an address. */
export type Way = (resource: Resource, url: string, settings?: Record<string, string>) => Process;

/** The steps of the lifecycle, called one by one. */
export const lifecycle: Way = (resource, url, settings) => {
  const at = run(resource, url, settings);
  return {
    said: at.said,
    diff: async (olds, news) => diff(resource, olds, news),
    create: (args) => create(at, args),
    read: (id, state) => read(at, id, state),
    update: (id, olds, news) => update(at, id, olds, news),
    delete: (id, state) => remove(at, id, state),
  };
};

/** A session, by the lines of a host that has nothing to do with the engine. */
export const lines: Way = (resource, url, settings) => {
  const said: string[] = [];
  const all = { apiKey: "local-key", [`${resource.service}BaseUrl`]: url, explicit: "true", ...settings };
  const host = toyHost([resource], all, (text) => said.push(text));
  const ask = async (verb: string, ...args: unknown[]): Promise<unknown> => {
    const answer = await host(`${resource.type} ${verb} ${toLine(args)}`);
    const given = fromLine(answer.slice(answer.indexOf(" ") + 1)) as { message: string } & ResourceState;
    if (answer.startsWith("done ")) return given ?? undefined;
    throw given.id === undefined
      ? new Error(given.message)
      : new PartialFailure(given.id, given.state, given.message);
  };
  return {
    said,
    diff: async (olds, news) => (await ask("diff", "1", olds, news)) as Difference,
    create: async (args) => (await ask("create", args)) as ResourceState,
    read: async (id, state) => (await ask("read", id, state)) as ResourceState | undefined,
    update: async (id, olds, news) => (await ask("update", id, olds, news)) as Values,
    delete: async (id, state) => void (await ask("delete", id, state)),
  };
};
