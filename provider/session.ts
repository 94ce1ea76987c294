import { setTimeout } from "node:timers/promises";
import type { Api } from "./api/api";
import type { Logger } from "./api/client";
import { prepare } from "./api/http";
import { RecordReader } from "./api/record-reader";
import { registerSecret, sanitize } from "./api/redact";
import {
  type Command,
  type Endpoint,
  endpoint,
  SettingError,
  type SettingProblem,
  type SettingsSource,
} from "./config";
import {
  type Context,
  check,
  create,
  describeRecord,
  diff,
  hold,
  type Identity,
  type Ledger,
  PartialFailure,
  type Rejection,
  ResourceLedger,
  type ResourceState,
  read,
  remove,
  update,
} from "./lifecycle";
import type { Notices } from "./notices";
import type { FileLines, Refusals } from "./refusals";
import { collectionOf } from "./schema/collection";
import { noun, type Resource, type Values } from "./schema/resource";
import { suggest } from "./suggest";

/** What a host gives its sessions, and what its process has once for all of them. */
export interface Host {
  readonly log: Logger;
  readonly notices: Notices;
  /** What was refused, and in which lines of a file of declarations. */
  readonly refusals: Refusals;
  /** Which resource has which record, in all processes of the run. */
  readonly ledger: Ledger;
  /** What the calls to all sessions of this process have shown of the engine's command. */
  readonly running: { command?: Command };
  /** Opens the way to a service. */
  connect(endpoint: Endpoint): Api;
}

/** Whether, and how, new arguments differ from state. */
export interface Difference {
  readonly changes: boolean;
  /** The arguments whose change needs a new record. */
  readonly replaces: readonly string[];
}

/**
 * One resource type with the settings of one provider, whoever hosts it. Values are plain: a value that a preview
 * can't know is `UNKNOWN`, one that is not set is absent, and a secret is the text itself. Every rejection is an
 * error of one clean sentence; of a write that left a record behind it is a `PartialFailure`.
 */
export interface Session {
  /** Takes the settings. It neither waits nor throws: what is missing or wrong is told by the first call. */
  configure(source: SettingsSource): void;
  /**
   * Validates arguments and fills in defaults, after telling people what they should know before the change. A
   * failure is a sentence, or the lines of the file that declares the resource.
   */
  check(
    olds: Values,
    news: Values,
    identity?: Identity,
    lines?: FileLines,
  ): Promise<{ values: Values; failures: readonly string[] }>;
  diff(id: string, olds: Values, news: Values): Promise<Difference>;
  create(args: Values): Promise<ResourceState>;
  /**
   * The record as it is, or nothing where it is gone. Without the resource's key in `state` it is read for the first
   * time: then all that the service says is taken, and a missing record is an error.
   */
  read(id: string, state: Values): Promise<ResourceState | undefined>;
  /** Sends what changed, and gives the new state. */
  update(id: string, olds: Values, news: Values): Promise<Values>;
  /** Deletes the record; one that is gone already is fine. */
  delete(id: string, state: Values): Promise<void>;
}

/** Begins a session. Nothing is read or sent before its first call. */
export function createSession(resource: Resource, host: Host): Session {
  let source: SettingsSource = { get: () => undefined };
  let made: Context | undefined;

  return {
    configure: (settings) => {
      source = {
        get: (key) => settings.get(key),
        get command() {
          return host.running.command;
        },
        provider: settings.provider,
      };
      made = undefined;
    },

    check: (olds, news, identity = {}, lines) =>
      cleanly([olds, news], async () => {
        observe("up");
        const problems = settingProblems();
        const { values, failures } = await check(
          {
            resource,
            notify: (notice) => host.notices.add(notice),
            context: problems.length === 0 ? context() : undefined,
            suggest,
          },
          { olds, news, identity },
        );
        const rejections: readonly Rejection[] = failures.length > 0 ? failures : problems;
        return { values, failures: host.refusals.reasonsFor(rejections, lines) };
      }),

    diff: (id, olds, news) =>
      cleanly([olds, news], async () => {
        const found = diff(resource, olds, news);
        if (settingProblems().length > 0) return found;
        if (found.changes) prepare();
        hold(context(), id, news, found.replaces.length > 0);
        return found;
      }),

    create: (args) => cleanly([args], () => create(context(), args)),

    read: (id, state) =>
      cleanly([state], async () => {
        // A first read is the program's, by `get`.
        observe(state[resource.key] === undefined ? "up" : "refresh");
        const found = await read(context(), id, state);
        if (found !== undefined) return found;
        if (state[resource.key] === undefined)
          throw new Error(`the service has no ${noun(resource)} with id ${id}`);
        const lost = resource.deletesWith === undefined ? "" : `, without its ${resource.deletesWith}`;
        const text = `is gone from the service; if the program still has it, "pulumi up" creates it again${lost}`;
        host.notices.add({ subject: describeRecord({ resource, values: state, id }), text, groupKey: text });
        return undefined;
      }),

    update: (id, olds, news) => cleanly([olds, news], () => update(context(), id, olds, news)),

    delete: (id, state) =>
      cleanly([state], () => {
        observe("destroy");
        return remove(context(), id, state);
      }),
  };

  /** Once the program has declared something, the settings are of today. */
  function observe(command: Command): void {
    if (host.running.command !== "up") host.running.command = command;
  }

  /** Made at the first call that needs it, since `configure` must not throw. */
  function context(): Context {
    if (made === undefined) {
      const place = endpoint(resource.service, source);
      const api = host.connect(place);
      made = {
        resource,
        api,
        records: new RecordReader(api, collectionOf(resource)),
        ledger: new ResourceLedger(host.ledger, resource, place),
        warn: (subject, text) => host.log.warn(`${subject}: ${text}`),
        sleep: (milliseconds) => setTimeout(milliseconds),
        clock: () => performance.now(),
      };
    }
    return made;
  }

  /** A missing or wrong setting shows at preview. */
  function settingProblems(): readonly SettingProblem[] {
    try {
      context();
      return [];
    } catch (error) {
      if (error instanceof SettingError) return error.problems;
      throw error;
    }
  }

  /** Runs one call with values whose secrets are kept from then on; an error leaves as one clean sentence. */
  async function cleanly<T>(values: readonly Values[], call: () => Promise<T>): Promise<T> {
    for (const [name, field] of Object.entries(resource.inputs))
      for (const value of values.map((each) => each[name]))
        if (field.secret && typeof value === "string") registerSecret(value);
    try {
      return await call();
    } catch (error) {
      const message = sanitize(error instanceof Error ? error.message : String(error));
      throw error instanceof PartialFailure
        ? new PartialFailure(error.id, error.state, message)
        : new Error(message);
    }
  }
}
