import { z } from "zod";
import type { Faults } from "../faults/faults";
import type { Kind } from "../service/collections";
import { dialects } from "../service/dialects";
import { services } from "../service/request";
import type { ServiceState } from "../service/state";
import type { Columns, Row } from "../service/store";
import type { EmulatorClient } from "./client";
import { faultShape, settingsShape, waitShape } from "./input-shapes";
import type { RequestLog } from "./request-log";
import { applySeed, pixelEditShape, pixelShape, seedShape, websiteEditShape, websiteShape } from "./seed";
import { count, read, record, ShapeError } from "./shapes";

/** What control commands use: the service, its faults and its log. */
export interface ControlContext {
  service: ServiceState;
  requestLog: RequestLog;
  faults: Faults;
  /** Operations that are answered already, and performed when a client releases them. */
  late: (() => void)[];
  /** Aborted when the emulator closes. */
  signal: AbortSignal;
}

/** Reads its input and runs; its result is returned as JSON. */
type Command = (context: ControlContext, input: unknown) => unknown;

const idShape = record({ id: count }, {});
const keyShape = record({ key: z.string() }, { services: z.array(z.enum(services)) });

/** Every command, by the name of the client's method that sends it. */
export const commands: Record<Exclude<keyof EmulatorClient, "url">, Command> = {
  websites: ({ service }) => service.tables.website.all(),
  pixels: ({ service }) => service.tables.pixel.all(),
  market: ({ service }) => service.market,
  seed: ({ service }, input) => applySeed(service, read(seedShape, input, "seed")),
  insertWebsite: ({ service }, input) => service.tables.website.insert(read(websiteShape, input, "website")),
  insertPixel: ({ service }, input) => service.tables.pixel.insert(read(pixelShape, input, "pixel")),
  editWebsite: (context, input) => edit(context, "website", input, websiteEditShape),
  editPixel: (context, input) => edit(context, "pixel", input, pixelEditShape),
  deleteWebsite: ({ service }, input) => service.tables.website.remove(read(idShape, input, "website").id),
  deletePixel: ({ service }, input) => service.tables.pixel.remove(read(idShape, input, "pixel").id),
  setOtherTenant: ({ service }, input) => {
    service.otherTenant = new Set(read(z.array(z.string()), input, "domains"));
  },

  requests: ({ requestLog }) => requestLog.entries(),
  clearRequests: ({ requestLog }) => requestLog.clear(),
  mark: ({ requestLog }) => requestLog.mark(),
  waitFor: ({ requestLog, signal }, input) => requestLog.waitFor(read(waitShape, input, "wait"), signal),

  addFault: ({ faults }, input) => faults.add(read(faultShape, input, "fault")),
  clearFaults: ({ faults }) => faults.clear(),
  releaseLate: ({ late }) => {
    const released = late.splice(0);
    for (const perform of released) perform();
    return released.length;
  },
  releaseLists: ({ service }) => {
    for (const table of Object.values(service.tables)) table.listAll();
  },

  keys: ({ service }) => service.keys.all(),
  addKey: ({ service }, input) => {
    const { key, services: open } = read(keyShape, input, "key");
    service.keys.add(key, open);
  },
  revokeKey: ({ service }, input) => service.keys.revoke(read(keyShape, input, "key").key),

  settings: ({ service }) => service.settings,
  configure: ({ service }, input) => {
    const { settings } = service;
    const { lists, ...changes } = read(settingsShape, input, "settings");
    Object.assign(settings, changes);
    Object.assign(settings.lists, lists);
    if (changes.rateLimit !== undefined) service.rateLimiter.reset();
    return settings;
  },
};

/** Changes a record as a person does in the web interface, lists of lines included. */
function edit(
  { service: { tables, settings } }: ControlContext,
  kind: Kind,
  input: unknown,
  shape: z.ZodType<Columns>,
): Row {
  const { id, columns } = read(record({ id: count, columns: shape }, {}), input, kind);
  const { editLines } = dialects[settings.dialect];
  const lines = ["exclude_params", "exclude_ips"].filter((name) => typeof columns[name] === "string");
  const edited = Object.fromEntries(lines.map((name) => [name, editLines(String(columns[name]))]));
  const row = tables[kind].update(id, { ...columns, ...edited });
  if (row === undefined) throw new ShapeError(`no ${kind} ${id} exists`);
  return row;
}
