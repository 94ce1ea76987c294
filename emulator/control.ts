import type { EmulatorClient } from "./client";
import type { Kind } from "./collections";
import { faultShape, settingsShape, waitShape } from "./control-shapes";
import { countersOf } from "./counters";
import { dialects } from "./dialects";
import type { Faults } from "./faults";
import type { Installation } from "./installation";
import type { Journal } from "./journal";
import type { LateCommits } from "./late";
import { services } from "./request";
import { pixelEditShape, pixelShape, plant, seedShape, websiteEditShape, websiteShape } from "./seed";
import { count, list, oneOf, record, type Shape, ShapeError, text } from "./shapes";
import type { Columns, Row } from "./store";

/** What the control commands reach: the service, and what is done to it and noted of it. */
export interface Controlled {
  installation: Installation;
  journal: Journal;
  faults: Faults;
  late: LateCommits;
  /** Given when the emulator closes. */
  signal: AbortSignal;
}

/** Reads its input and does its work; what it returns goes back as JSON. */
type Command = (controlled: Controlled, input: unknown) => unknown;

const idShape = record({ id: count }, {});
const keyShape = record({ key: text }, { services: list(oneOf(...services)) });

/** Every command, by the name of the client's method that sends it. */
export const commands: Record<Exclude<keyof EmulatorClient, "url">, Command> = {
  websites: ({ installation }) => installation.tables.website.all(),
  pixels: ({ installation }) => installation.tables.pixel.all(),
  market: ({ installation }) => installation.market,
  seed: ({ installation }, input) => plant(installation, seedShape(input, "seed")),
  insertWebsite: ({ installation }, input) =>
    installation.tables.website.insert(websiteShape(input, "website")),
  insertPixel: ({ installation }, input) => installation.tables.pixel.insert(pixelShape(input, "pixel")),
  editWebsite: (controlled, input) => edit(controlled, "website", input, websiteEditShape),
  editPixel: (controlled, input) => edit(controlled, "pixel", input, pixelEditShape),
  deleteWebsite: ({ installation }, input) =>
    installation.tables.website.remove(idShape(input, "website").id),
  deletePixel: ({ installation }, input) => installation.tables.pixel.remove(idShape(input, "pixel").id),
  setOtherTenant: ({ installation }, input) => {
    installation.otherTenant = new Set(list(text)(input, "domains"));
  },

  requests: ({ journal }) => journal.entries(),
  clearRequests: ({ journal }) => journal.clear(),
  counters: ({ journal }) => countersOf(journal.entries()),
  mark: ({ journal }) => journal.mark(),
  waitFor: ({ journal, signal }, input) => journal.waitFor(waitShape(input, "wait"), signal),

  addFault: ({ faults }, input) => faults.add(faultShape(input, "fault")),
  faults: ({ faults }) => faults.all(),
  clearFaults: ({ faults }) => faults.clear(),
  releaseLate: ({ late }) => late.release(),
  releaseLists: ({ installation }) => {
    for (const table of Object.values(installation.tables)) table.listAll();
  },

  keys: ({ installation }) => installation.keys.all(),
  addKey: ({ installation }, input) => {
    const { key, services: open } = keyShape(input, "key");
    installation.keys.add(key, open);
  },
  revokeKey: ({ installation }, input) => installation.keys.revoke(keyShape(input, "key").key),

  settings: ({ installation }) => installation.settings,
  configure: ({ installation }, input) => {
    const { settings } = installation;
    const { lists, ...changes } = settingsShape(input, "settings");
    Object.assign(settings, changes);
    Object.assign(settings.lists, lists);
    if (changes.pace !== undefined) installation.pace.reset();
    return settings;
  },
};

/** Changes a record as a person does in the web page, lists of lines included. */
function edit(
  { installation: { tables, settings } }: Controlled,
  kind: Kind,
  input: unknown,
  shape: Shape<Columns>,
): Row {
  const { id, columns } = record({ id: count, columns: shape }, {})(input, kind);
  const { typed } = dialects[settings.dialect];
  const lines = ["exclude_params", "exclude_ips"].filter((name) => typeof columns[name] === "string");
  const edited = Object.fromEntries(lines.map((name) => [name, typed(String(columns[name]))]));
  const row = tables[kind].update(id, { ...columns, ...edited });
  if (row === undefined) throw new ShapeError(`there is no ${kind} ${id}`);
  return row;
}
