import { type Command, isSameAccount, isTarget, keyIn, nameOf, placeOf, type Story } from "./program";
import type { Outcome } from "./run";
import type { Deed, Service } from "./service";
import type { Entry } from "./state";

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

/** A run, and what was there before and after it. */
export interface Told {
  readonly story: Story;
  readonly command: Command;
  readonly before: Moment;
  readonly after: Moment;
  readonly outcome: Outcome;
  readonly preview: Outcome;
  readonly deeds: readonly Deed[];
}

/** The store of each service, read past the provider. */
export function rowsOf(services: readonly Service[]): readonly Row[] {
  return services.flatMap(({ rows, place }) =>
    rows.map(({ id, key, fields, made }) => ({
      id: String(id),
      service: place,
      key,
      text: JSON.stringify([fields, made]),
    })),
  );
}

/** What a run has done that it may not. Nothing here asks the provider whose record is whose. */
export function violations(told: Told): string[] {
  const { story, command, before, after, deeds } = told;
  const { got, errors, crashed } = told.outcome;
  const found: string[] = [];
  const { lines } = command;
  const place = (provider: number) => placeOf(story, provider);
  const has =
    ({ id, service }: Pick<Row, "id" | "service">) =>
    (entry: Pick<Entry, "id" | "provider">) =>
      entry.id === id && place(entry.provider) === service;
  const is = (moment: Moment, row: Pick<Row, "id" | "service">) =>
    moment.rows.find(({ id, service }) => id === row.id && service === row.service);
  const lineOf = ({ slot, version }: Entry) =>
    lines.find((line) => line.slot === slot && line.version === version);
  const isOthersDeed = (row: Pick<Row, "id" | "service">) =>
    deeds.some(
      ({ by, did, id, service }) =>
        by === "other" && did === "delete" && id === row.id && service === row.service,
    );

  for (const { id, provider } of got) {
    const row = { id, service: place(provider) };
    if (is(after, row) === undefined && !isOthersDeed(row))
      found.push(`${id} was made or taken over by this run, and is gone`);
  }

  const holders = (moment: Moment, row: Pick<Row, "id" | "service">) =>
    moment.entries.filter(
      (entry) => !entry.replaced && !entry.pending && lineOf(entry) !== undefined && has(row)(entry),
    ).length;
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
    // The program tells of a resource that is left out only the key that it is to have; and of one that waits for
    // others, which the engine has not come to.
    const isUnchecked = line?.waits === true && !told.outcome.checked.has(nameOf(entry));
    const isUnseen = domain === undefined && (!isTarget(command, entry) || isUnchecked);
    const isReplaced = (domain !== undefined || isUnseen) && keyIn(domain ?? name) !== line?.key;
    return line !== undefined && line.provider === entry.provider && !isReplaced;
  };
  for (const entry of after.entries) {
    const { id, provider, replaced, pending } = entry;
    const row = { id, service: place(provider) };
    const known = is(before, row) !== undefined || got.some(has(row));
    // By another address it is known in the run that takes it over alone, and by another key once the engine has
    // asked, which may be too late for what is deleted first.
    const isForeign =
      !got.some(has(row)) &&
      (story.second === "other address" ||
        (story.second === "other key" &&
          (!isTarget(command, entry) || lines.some((line) => line.deleteBeforeReplace)))) &&
      deeds.some((deed) => deed.did === "delete" && has(deed)(entry) && deed.by !== provider);
    if (
      !crashed &&
      !replaced &&
      !pending &&
      remains(entry) &&
      known &&
      is(after, row) === undefined &&
      !isForeign &&
      !told.outcome.network.unheard.some((deed) => deed.did === "delete" && has(deed)(entry)) &&
      !isOthersDeed(row)
    )
      found.push(`${id} is in state, and this run has deleted it`);
  }

  for (const row of before.rows) {
    const asked = lines.some(
      ({ key, adopt, provider }) => key === row.key && adopt && place(provider) === row.service,
    );
    const now = is(after, row);
    const owners = before.entries.filter(has(row));
    if (owners.length === 0 && now?.text !== row.text && (!asked || now === undefined) && !isOthersDeed(row))
      found.push(`${row.id} is nobody's, and was ${now === undefined ? "deleted" : "changed"}`);
    // Who has another record made in the place of its own, and the old one deleted first, says so itself.
    const renewed = owners.some(({ slot }) =>
      lines.some((line) => line.slot === slot && line.deleteBeforeReplace),
    );
    const anew = deeds.find(
      ({ did, by, service, key }) =>
        did === "make" && by !== "other" && service === row.service && key === row.key,
    );
    if (now === undefined && anew !== undefined && !renewed && !isOthersDeed(row))
      found.push(`${row.id} was deleted, and made anew as ${anew.id}`);
  }

  // What has lost its name in the program is deleted, but not while the one that declares its key is left out.
  const isNamed = ({ slot, version }: Entry) =>
    lines.some((line) => line.slot === slot && (line.version === version || line.alias));
  for (const row of before.rows.filter((each) => is(after, each) === undefined && !isOthersDeed(each))) {
    const isLeftOut = lines.some(
      (line) =>
        line.key === row.key &&
        place(line.provider) === row.service &&
        // Who deletes it by another key or address does not know that it is the same record.
        deeds.some(
          ({ did, by, id, service }) =>
            did === "delete" &&
            id === row.id &&
            service === row.service &&
            by !== "other" &&
            isSameAccount(story, by, line.provider),
        ) &&
        !isTarget(command, line) &&
        !before.entries.some(
          ({ slot, version }) => slot === line.slot && (version === line.version || line.alias),
        ),
    );
    if (isLeftOut && !before.entries.filter(has(row)).some(isNamed))
      found.push(`${row.id} was deleted, though the program declares its key`);
  }

  for (const { did, by, id, service, beside, key } of deeds) {
    // Who renames it meanwhile by another key is nobody whom the one that makes it knows.
    const isRenamed = (row: Row) =>
      row.key !== key &&
      deeds.some(
        (deed) => deed.did === "change" && deed.by !== by && deed.id === row.id && deed.service === service,
      );
    const there = beside.filter((other) => {
      const row = is(before, { id: other, service });
      return row !== undefined && !(story.second === "other key" && isRenamed(row));
    });
    if (did === "make" && by !== "other" && there.length > 0)
      found.push(`${id} was made beside ${there.join(", ")}, which has its key`);
  }

  return found.map((text) => `${text}; ${command.lines.map(nameOf).join(", ")}`);
}
