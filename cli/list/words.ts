import { catalogue } from "../../provider/resources";
import { format } from "../../provider/schema/format";
import { pluralName, type Resource } from "../../provider/schema/resource";
import { countOf, groupsBy } from "../alike";
import { varietyName } from "../look/held";
import type { Drift, Problem } from "../look/look";
import type { Listing, ListRow } from "./listing";

/** The headings of all formats. */
export const columns = [
  "Kind",
  "Domain or name",
  "Privacy or type",
  "Managed by",
  "Protected",
  "Id",
  "State",
] as const;

const states: Record<Problem, string> = {
  "wrong-account": "not in this account",
  "record-missing": "not on the service",
  "wrong-id": "has another id",
  "another-record": "another record has its id",
  "record-unreadable": "shown without a domain or name",
  "state-unreadable": "its state can't be read",
  "managed-twice": "managed twice",
  "pending-delete": "replaced: the next up deletes it",
  "duplicate-record": "duplicate",
  drift: "drift",
  unmanaged: "in no stack",
};

/** Both values, such as `privacy "public" instead of "private"`: the service's, and the stack's. */
function driftText({ argument, state, service }: Drift): string {
  return `${argument} ${format(undefined, service)} instead of ${format(undefined, state)}`;
}

function stateOf({ problems, drift, unreadable }: ListRow): string {
  const more: Partial<Record<Problem, readonly string[]>> = {
    drift: drift.map(driftText),
    "state-unreadable": unreadable,
  };
  const words = problems.map((problem) =>
    [states[problem], more[problem]?.join(", ")].filter(Boolean).join(": "),
  );
  return words.join("; ") || "as in the stack";
}

/** A row's texts, one for each column. */
export function cellsOf(row: ListRow, { stacks }: Pick<Listing, "stacks">): string[] {
  const managers = row.managedBy.map(({ stack, resource }) =>
    stacks.length > 1 ? `${resource} (${stack})` : resource,
  );
  return [
    row.type.toLowerCase(),
    row.key,
    row.variety,
    managers.join(", ") || "none",
    row.protected ? "yes" : "no",
    row.id ?? "",
    stateOf(row),
  ];
}

/** The records that the service has. A lost one is only in a stack. */
function onService({ records }: Listing): ListRow[] {
  const lost: readonly unknown[] = ["wrong-account", "record-missing", "wrong-id", "another-record"];
  return records.filter(({ problems: [worst] }) => !lost.includes(worst));
}

/** The rows that need attention. A record in no stack is none of them: it may be another project's. */
export function needAttention({ records }: Listing): ListRow[] {
  return records.filter(({ problems }) => problems.some((problem) => problem !== "unmanaged"));
}

function ofType(records: readonly ListRow[], resource: Resource): ListRow[] {
  return records.filter(({ type }) => type === resource.type);
}

/** How many records the service has of each kind, such as `2 websites, 1 pixel`. */
export function title(listing: Listing): string {
  return catalogue.map((resource) => countOf(resource, ofType(onService(listing), resource))).join(", ");
}

/** What was read, and how many records of each state there are. */
export function summary(listing: Listing): string {
  const { stacks } = listing;
  const records = onService(listing);
  const source =
    stacks.length === 0 ? "No stack was read" : `Stack${stacks.length > 1 ? "s" : ""} ${stacks.join(", ")}`;
  const managed = records.filter(({ managedBy }) => managedBy.length > 0).length;
  const counts = [`${managed} managed`, `${records.length - managed} in no stack that was read`];
  return `${source}: ${counts.join(", ")}, ${needAttention(listing).length || "none"} with a problem`;
}

/** How many records of the service have each privacy, each type, and a stack; the most first. */
export function charts(listing: Listing): { title: string; bars: [label: string, count: number][] }[] {
  const records = onService(listing);
  const count = (rows: readonly ListRow[], labelOf: (row: ListRow) => string) =>
    groupsBy(rows, labelOf)
      .map((group): [string, number] => [labelOf(group[0]), group.length])
      .sort(([, one], [, other]) => other - one);
  return [
    ...catalogue.map((resource) => ({
      title: `${pluralName(resource)} by ${varietyName(resource)}`,
      bars: count(ofType(records, resource), ({ variety }) => variety || "not set"),
    })),
    {
      title: "managed by",
      bars: count(records, ({ managedBy: [first] }) => first?.stack ?? "no stack"),
    },
  ].filter(({ bars }) => bars.length > 0);
}
