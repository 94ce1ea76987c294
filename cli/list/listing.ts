import type { Logger } from "../../provider/api/client";
import { catalogue } from "../../provider/resources";
import { pluralName } from "../../provider/schema/resource";
import { type OpenStack, readAll } from "../doctor/read-stacks";
import type { Finding } from "../doctor/report";
import { type ListedRecord, serviceFindings } from "../doctor/service";
import { CommandFailure } from "../failure";
import { ownVersion } from "../manifest";
import { Stack } from "../pulumi/stack";
import { sanitized } from "../sanitized";
import { isFound } from "../service-records";
import type { StackOptions } from "../stack-options";
import { type HeldRecord, managersOf, scopedId, varietyName } from "../stack-records";

/** Stands for a value that is secret in a stack. */
const HIDDEN = "(secret)";

/** A resource that manages a record. */
export interface Manager {
  readonly stack: string;
  /** Its name in the program. */
  readonly resource: string;
  readonly urn: string;
}

/** A managed value that is another one on the service than in state. */
export interface Drift {
  readonly argument: string;
  readonly state: unknown;
  readonly service: unknown;
}

/** What may need attention, the worst first; all but drift are the doctor's codes, which says what to do. */
const order = [
  "record-missing",
  "wrong-id",
  "managed-twice",
  "pending-delete",
  "duplicate-record",
  "drift",
  "unmanaged",
] as const;
export type Problem = (typeof order)[number];

/** A website or a pixel, on the service or only in a stack. */
export interface ListRow {
  /** The resource's type, such as `Website`. */
  readonly type: string;
  /** Absent if the service sent none. */
  readonly id?: string | undefined;
  /** Its domain or name. */
  readonly key: string;
  /** Its privacy or its type. */
  readonly variety: string;
  /** The service's address. */
  readonly baseUrl: string;
  readonly managedBy: readonly Manager[];
  /** The engine, or the plugin, refuses to delete it. */
  readonly protected: boolean;
  readonly drift: readonly Drift[];
  readonly problems: readonly Problem[];
}

/** What `pulumi-tracking list --json` prints. No text in it has a secret or a control character. */
export interface Listing {
  /** Increases when a reader of the previous shape would no longer understand this one. */
  readonly format: 1;
  readonly version: string;
  /** The stacks that were read; empty if only the environment was. */
  readonly stacks: readonly string[];
  /** What is doubtful about all of it, such as a list that may be incomplete. */
  readonly notes: readonly string[];
  /** Those that need attention first. */
  readonly records: readonly ListRow[];
}

/** Lists every record of the account, and who manages it. Nothing is written. */
export async function listRecords(
  wanted: StackOptions,
  folder: string,
  logger: Logger,
  open: OpenStack = (name) => new Stack(name),
): Promise<Listing> {
  const { stacks, found, settingFindings, connections } = await readAll(wanted, folder, open);
  refuse([...found, ...settingFindings]);
  const used = connections.filter(({ endpoint: { service } }) =>
    catalogue.some((resource) => resource.service === service),
  );
  const answers = await Promise.all(used.map((each) => serviceFindings(each, logger)));
  const findings = answers.flatMap((each) => each.found);
  const doubts = findings.filter(({ code }) => code === "wrong-account");
  refuse(findings.filter(({ code, record }) => code !== "wrong-account" && record === undefined));
  const rows = rowsOf(
    answers,
    stacks.flatMap(({ records }) => records),
  );
  return sanitized({
    format: 1,
    version: ownVersion(),
    stacks: stacks.map(({ name }) => name),
    notes: [
      ...stacks
        .filter(({ deployment }) => deployment.pending_operations?.length)
        .map(
          ({ name }) =>
            `A run of stack ${name} was interrupted: "npx pulumi-tracking doctor" says what to do`,
        ),
      ...doubts.map(({ message }) => message),
      ...answers.flatMap(({ incomplete }) =>
        incomplete.map((each) => `The service's list of ${pluralName(each)} may be incomplete`),
      ),
    ],
    records: inOrder(rows),
  });
}

/** Who manages a record is known only if all that was asked for could be read. */
function refuse(findings: readonly Finding[]): void {
  const error = findings.find(({ severity }) => severity === "error");
  if (error) throw new CommandFailure(error.message, error.remedy ?? "Run this again");
}

type Answer = Awaited<ReturnType<typeof serviceFindings>>;

function rowsOf(answers: readonly Answer[], held: readonly HeldRecord[]): ListRow[] {
  // A record that someone has renamed is still its own: its new name is drift.
  const lost = new Map(
    answers
      .flatMap((each) => each.differing)
      .flatMap(({ held: each, code }) => (code === "renamed-record" ? [] : [[each, code]])),
  );
  const idOf = ({ resource, baseUrl, id }: ListedRecord) => scopedId(resource, baseUrl, id);
  const holders = managersOf(held.filter((each) => !lost.has(each)));
  // After a replacement that was killed, nobody may have a record but who leaves it.
  const managersFor = (each: ListedRecord) => {
    const all = holders.get(idOf(each)) ?? [];
    const staying = all.filter(({ isLeaving }) => !isLeaving);
    return staying.length > 0 ? staying : all;
  };
  // Two keys of one account show its records twice.
  const seen = new Set<string>();
  const listed = answers
    .flatMap((each) => each.listed)
    .filter((each) => each.id === undefined || (!seen.has(idOf(each)) && seen.add(idOf(each))));
  const twins = new Set(answers.flatMap((each) => each.twins));
  return [
    ...listed.map((each) => serviceRow(each, managersFor(each), twins.has(each))),
    ...[...lost].map(([each, code]) => rowOf(each, [each], [], [code])),
  ];
}

function serviceRow(record: ListedRecord, managers: readonly HeldRecord[], isDuplicate: boolean): ListRow {
  const isLeaving = managers.some((each) => each.isLeaving);
  const drift = isLeaving ? [] : managers.slice(0, 1).flatMap((manager) => driftOf(record, manager));
  const problems: Record<string, boolean> = {
    "managed-twice": managers.length > 1,
    "pending-delete": isLeaving,
    "duplicate-record": isDuplicate,
    drift: drift.length > 0,
    unmanaged: managers.length === 0,
  };
  return rowOf(
    record,
    managers,
    drift,
    order.filter((each) => problems[each]),
  );
}

/** The managed values that differ, as a refresh would show them. */
function driftOf(found: ListedRecord, held: HeldRecord): Drift[] {
  const { resource, values, secrets } = held;
  return Object.entries(resource.inputs).flatMap(([argument, field]) => {
    const [state, service] = [values[argument], found.values[argument]];
    if (state === undefined || service === undefined || field.secret) return [];
    if (service !== null && field.matches(state, service)) return [];
    // The program may declare by now the name that someone gave it.
    if (argument === resource.key && isFound({ held, found })) return [];
    const shown = (value: unknown) => (secrets.includes(argument) ? HIDDEN : value);
    return { argument, state: shown(state), service: shown(service) };
  });
}

function rowOf(
  {
    resource,
    id,
    baseUrl = "",
    values,
  }: Pick<HeldRecord, "resource" | "baseUrl" | "values"> & { id: string | undefined },
  managers: readonly HeldRecord[],
  drift: readonly Drift[],
  problems: readonly Problem[],
): ListRow {
  const shown = (name: string | undefined) => {
    if (name === undefined || values[name] == null) return "";
    return managers.some(({ secrets }) => secrets.includes(name)) ? HIDDEN : String(values[name]);
  };
  return {
    type: resource.type,
    id,
    key: shown(resource.key),
    variety: shown(varietyName(resource)),
    baseUrl,
    managedBy: managers.map(({ stack, name, urn }) => ({ stack, resource: name, urn })),
    protected: managers.some(({ isProtected }) => isProtected),
    drift,
    problems,
  };
}

/** Rows with problems first, the worst at the top, then by domain or name. */
function inOrder(rows: readonly ListRow[]): ListRow[] {
  const rank = ({ problems: [worst] }: ListRow) =>
    worst === undefined ? order.length : order.indexOf(worst);
  const { compare } = new Intl.Collator("en", { numeric: true });
  return rows.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      compare(b.type, a.type) ||
      compare(a.key, b.key) ||
      compare(a.id ?? "", b.id ?? ""),
  );
}
