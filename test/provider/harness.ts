import { expect } from "vitest";
import type { Api, ApiError } from "../../provider/api/api";
import { createApi, type Logger } from "../../provider/api/client";
import { endpoint } from "../../provider/config";
import { ledgerAt } from "../../provider/hosts/run-file";
import { AccountGuard, type Context, PartialFailure, ResourceLedger } from "../../provider/lifecycle";
import { LifecycleError } from "../../provider/lifecycle/errors";
import { RecordReader } from "../../provider/records/reader";
import { website } from "../../provider/resources";
import type { Resource } from "../../provider/schema/resource";
import { createSession, RunState, type Session } from "../../provider/session";
import { rejection } from "../rejection";
import { type EmulatorClient, type EmulatorOptions, type LogEntry, service } from "../service";

/** One run of a program: its output and its ledger are its own. */
export interface Run extends Context {
  readonly records: RecordReader;
  readonly said: string[];
  /** What it has waited, in milliseconds; nothing is really waited for. */
  readonly rests: number[];
}

/** Begins a run of a stack with these settings, and no others. */
export function run(resource: Resource, settings: Readonly<Record<string, string>>): Run {
  const said: string[] = [];
  const rests: number[] = [];
  const voice: Logger = { warn: (text) => said.push(text), debug: (text) => said.push(text) };
  const target = endpoint(resource.service, { get: (key) => settings[key] }, {});
  const api = createApi(target, voice);
  return {
    resource,
    api,
    records: new RecordReader(api, resource),
    guard: new AccountGuard(),
    accountAdvice: target.accountAdvice,
    ledger: new ResourceLedger(ledgerAt(undefined), resource, target),
    warn: ({ text }) => said.push(text),
    said,
    sleep: async (milliseconds) => void rests.push(milliseconds),
    rests,
    clock: () => performance.now(),
  };
}

/** A service for one test, its records of one resource, a run against it, and sessions that use it. */
export async function world(options: EmulatorOptions = {}, resource: Resource = website) {
  const here = await service(options);
  const store = shelf(here.control, resource);
  /** Another run. */
  const later = (settings: Record<string, string> = {}) => run(resource, { ...here.settings, ...settings });
  /** A session, as hosts use it. */
  const session = (settings: Record<string, string> = {}): Session =>
    sessionOf(resource, { ...here.settings, ...settings });
  return { ...here, store, at: later(), later, session };
}
export type World = Awaited<ReturnType<typeof world>>;

/** A service, and how often it was told that a request was done which it had refused. */
export function toldOf(inner: Api): { api: Api; told: () => number } {
  let count = 0;
  const wasDone = () => {
    count += 1;
  };
  const api: Api = (request) =>
    inner(request).catch((error: ApiError) => {
      throw Object.assign(error, { details: { ...error.details, wasDone } });
    });
  return { api, told: () => count };
}

/** The requests that may change something: method and form. */
export function writes({ control }: Pick<World, "control">) {
  return control
    .requests()
    .filter(({ method }) => method !== "GET")
    .map(({ method, form }) => [method, form] as const);
}

/** The message of the failure that a step ends with, after which the service has nothing new. */
export async function problem(step: Promise<unknown>): Promise<string> {
  const error = await rejection(step);
  expect(error).toBeInstanceOf(LifecycleError);
  expect(error).not.toBeInstanceOf(PartialFailure);
  return error.message;
}

/** What sessions share, without an engine. */
export function bareRun(print: (text: string) => void = () => {}): RunState {
  return new RunState({ warn: print, debug: print }, ledgerAt(undefined));
}

/** A session that takes nothing from the environment. */
export function sessionOf(
  resource: Resource,
  settings: Readonly<Record<string, string>>,
  run = bareRun(),
): Session {
  const source: Readonly<Record<string, string>> = { explicit: "agency", ...settings };
  const session = createSession(resource, run);
  session.configure({ get: (key) => source[key] });
  return session;
}

/** A record as the emulator keeps it. */
export type Row = Record<string, string | number | boolean | null> & { id: number };

/** The emulator's store of one resource, found by the last word of the resource's path. */
export interface Shelf {
  rows(): Row[];
  /** The one record there is. */
  only(): Row;
  insert(columns: Record<string, unknown>): Row;
  /** As someone does in the web interface. */
  edit(id: string, columns: Record<string, unknown>): Row;
  remove(id: string): boolean;
  empty(): void;
  /** Requests of this method since the log was cleared. */
  sent(method: string): LogEntry[];
}

export function shelf(control: EmulatorClient, resource: Resource): Shelf {
  const plural = resource.path.split("/").at(-1) ?? "";
  const one = plural.charAt(0).toUpperCase() + plural.slice(1, -1);
  // The client names its methods after the records, so that one that is added is found here.
  const call = <T>(name: string, ...input: unknown[]): T =>
    (Reflect.get(control, name) as (...input: unknown[]) => T)(...input);
  const rows = () => call<Row[]>(plural);
  return {
    rows,
    only: () => {
      const [row, ...others] = rows();
      if (row === undefined || others.length > 0)
        throw new Error(`there are ${row ? 1 + others.length : 0} ${plural} where one is due`);
      return row;
    },
    insert: (columns) => call(`insert${one}`, columns),
    edit: (id, columns) => call(`edit${one}`, Number(id), columns),
    remove: (id) => call(`delete${one}`, Number(id)),
    empty: () => call("seed", { [plural]: [] }),
    sent: (method) => control.requests().filter((entry) => entry.method === method),
  };
}
