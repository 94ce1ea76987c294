import type { EmulatorClient } from "../../emulator";
import type { Resource } from "../../provider/schema/resource";
import { type Command, isTarget } from "./ownership-program";
import type { Outcome } from "./ownership-run";
import type { Entry } from "./ownership-state";

/** A record on the service of a provider. */
export interface Row {
  readonly id: string;
  readonly service: number;
  readonly key: number;
  readonly text: string;
}

/** All that is seen at one moment, by the service's store and the engine's state. */
export interface Moment {
  readonly rows: readonly Row[];
  readonly entries: readonly Entry[];
}

/** Where a provider's records are: two providers may have one service. */
export type Place = (provider: number) => number;

/** The store of each service, read past the provider. */
export async function rowsOf(
  { type }: Resource,
  controls: readonly EmulatorClient[],
): Promise<readonly Row[]> {
  const all = controls.map(async (control, service) => {
    const rows =
      type === "Website"
        ? (await control.websites()).map((row) => ({ row, name: row.domain }))
        : (await control.pixels()).map((row) => ({ row, name: row.name }));
    return rows.map(({ row, name }) => {
      const { updated_at: _, ...stored } = row;
      return {
        id: String(row.id),
        service,
        key: keyIn(name),
        text: JSON.stringify(stored),
      };
    });
  });
  return (await Promise.all(all)).flat();
}

function keyIn(name: string): number {
  return Number(/\d+/.exec(name)?.[0]);
}

/** What a run has done that it may not. Nothing here asks the provider whose record is whose. */
export function violations(
  place: Place,
  command: Command,
  before: Moment,
  after: Moment,
  { got, errors, crashed }: Outcome,
): string[] {
  const found: string[] = [];
  const { lines } = command;
  const has =
    ({ id, service }: Pick<Row, "id" | "service">) =>
    (entry: Pick<Entry, "id" | "provider">) =>
      entry.id === id && place(entry.provider) === service;
  const is = (moment: Moment, row: Pick<Row, "id" | "service">) =>
    moment.rows.find(({ id, service }) => id === row.id && service === row.service);
  const lineOf = ({ slot, version }: Entry) =>
    lines.find((line) => line.slot === slot && line.version === version);

  for (const { id, provider } of got)
    if (is(after, { id, service: place(provider) }) === undefined)
      found.push(`${id} was made or taken over by this run, and is gone`);

  const holders = (moment: Moment, row: Pick<Row, "id" | "service">) =>
    moment.entries.filter((entry) => !entry.replaced && lineOf(entry) !== undefined && has(row)(entry))
      .length;
  // The engine asks nothing for a resource that it leaves out, so nobody knows that it has the record.
  const untouched = (row: Row) => after.entries.some((entry) => has(row)(entry) && !isTarget(command, entry));
  // A run that failed has not come to its end: what has the record still moves away with the next.
  for (const row of after.rows)
    if (
      !crashed &&
      errors.length === 0 &&
      holders(after, row) > 1 &&
      holders(before, row) < 2 &&
      !untouched(row)
    )
      found.push(`${row.id} is held by two resources`);

  // What the program has no more, or replaces, is deleted in the end; where a failed run has left two resources with
  // one record, either may be the one that deletes it.
  const remains = (entry: Entry) => {
    const [line, { domain, name }] = [lineOf(entry), entry.outputs];
    // The program tells of a resource that is left out only the key that it is to have.
    const isUnseen = domain === undefined && !isTarget(command, entry);
    const isReplaced = (domain !== undefined || isUnseen) && keyIn(String(domain ?? name)) !== line?.key;
    return line !== undefined && line.provider === entry.provider && !isReplaced;
  };
  for (const entry of after.entries) {
    const { id, provider, replaced } = entry;
    const row = { id, service: place(provider) };
    const known = is(before, row) !== undefined || got.some(has(row));
    if (!crashed && !replaced && remains(entry) && known && is(after, row) === undefined)
      found.push(`${id} is in state, and this run has deleted it`);
  }

  for (const row of before.rows) {
    const asked = lines.some(
      ({ key, adopt, provider }) => key === row.key && adopt && place(provider) === row.service,
    );
    const now = is(after, row);
    const owners = before.entries.filter(has(row));
    if (owners.length === 0 && now?.text !== row.text && (!asked || now === undefined))
      found.push(`${row.id} is nobody's, and was ${now === undefined ? "deleted" : "changed"}`);
    // Who has another record made in the place of its own, and the old one deleted first, says so itself.
    const renewed = owners.some(({ slot }) =>
      lines.some((line) => line.slot === slot && line.deleteBeforeReplace),
    );
    const anew = after.rows.find(({ service, key }) => service === row.service && key === row.key);
    if (now === undefined && anew !== undefined && !renewed)
      found.push(`${row.id} was deleted, and made anew as ${anew.id}`);
  }

  // What has lost its name in the program is deleted, but not while the one that declares its key is left out.
  const isNamed = ({ slot, version }: Entry) =>
    lines.some((line) => line.slot === slot && (line.version === version || line.alias));
  for (const row of before.rows.filter((each) => is(after, each) === undefined)) {
    const isLeftOut = lines.some(
      (line) =>
        line.key === row.key &&
        place(line.provider) === row.service &&
        !isTarget(command, line) &&
        !before.entries.some(
          ({ slot, version }) => slot === line.slot && (version === line.version || line.alias),
        ),
    );
    if (isLeftOut && !before.entries.filter(has(row)).some(isNamed))
      found.push(`${row.id} was deleted, though the program declares its key`);
  }

  for (const row of after.rows)
    if (after.rows.filter(({ service, key }) => service === row.service && key === row.key).length > 1)
      found.push(`${row.id} is not the only one of its key`);

  return found;
}
