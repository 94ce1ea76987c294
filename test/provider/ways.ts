import { create, diff, read, remove, update } from "../../provider/lifecycle";
import type { ResourceState } from "../../provider/lifecycle/context";
import type { Resource, Values } from "../../provider/schema/resource";
import type { TestService } from "../service";
import { run, sessionOf } from "./harness";

/** One process that serves a resource, whatever is between it and who asks. */
export interface Process {
  diff(olds: Values, news: Values): Promise<{ changed: string[]; replaces: string[] }>;
  create(args: Values): Promise<ResourceState>;
  read(id: string, state: Values): Promise<ResourceState | undefined>;
  update(id: string, olds: Values, news: Values): Promise<Values>;
  delete(id: string, state: Values): Promise<void>;
}

/** Begins a process for a service. */
export type Way = (resource: Resource, service: TestService) => Process;

/** The steps of the lifecycle, called one by one. */
export const lifecycle: Way = (resource, { settings }) => {
  const at = run(resource, settings);
  return {
    diff: async (olds, news) => diff(resource, olds, news),
    create: (args) => create(at, args),
    read: (id, state) => read(at, id, state),
    update: (id, olds, news) => update(at, id, olds, news),
    delete: (id, state) => remove(at, id, state),
  };
};

/** A session, as hosts use it. */
export const session: Way = (resource, { settings }) => {
  const own = sessionOf(resource, settings);
  return { ...own, diff: (olds, news) => own.diff("1", olds, news) };
};
