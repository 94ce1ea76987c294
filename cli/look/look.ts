import { ApiError } from "../../provider/api/api";
import { createApi, type Logger } from "../../provider/api/client";
import { describeNone } from "../../provider/lifecycle/account-guard";
import type { Standing } from "../../provider/lifecycle/standing";
import { catalogue } from "../../provider/resources";
import type { RemoteRecord } from "../../provider/schema/codec";
import { canonicalKey } from "../../provider/schema/identity";
import { pluralName, type Resource } from "../../provider/schema/resource";
import { groupsBy } from "../alike";
import { NoStack } from "../pulumi/explain-failure";
import type { StackOptions } from "../stack-options";
import { titleOf } from "../unread";
import { type Connection, connectionsOf } from "./connections";
import { type HeldRecord, managersOf, placeOf } from "./held";
import { type Differing, isFound, ServiceRecords } from "./service";
import { type OpenStack, readAgain, readStacks } from "./stacks";

/** What is wrong with a record, the worst first. */
export const problems = [
  "wrong-account",
  "record-missing",
  "wrong-id",
  "another-record",
  "renamed-record",
  "state-unreadable",
  "managed-twice",
  "pending-delete",
  "duplicate-record",
  "drift",
  "unmanaged",
] as const;
export type Problem = (typeof problems)[number];

/** What became of a record is a problem of this name. Of one that is not in this account, nothing more is known. */
const problemsByStatus = {
  same: undefined,
  renamed: "renamed-record",
  unknown: "renamed-record",
  another: "another-record",
  displaced: "wrong-id",
  missing: "record-missing",
} as const satisfies Record<Standing["status"], Problem | undefined>;

const problemOf = ({ standing }: Differing): Problem | undefined =>
  standing ? problemsByStatus[standing.status] : "wrong-account";

/** A managed value that is another one on the service than in state. */
export interface Drift {
  readonly argument: string;
  readonly state: unknown;
  readonly service: unknown;
}

/** A place for a record, which a service has, or which stacks mean. */
export interface Row {
  readonly resource: Resource;
  readonly baseUrl: string;
  /** Absent if the service sent none. */
  readonly id: string | undefined;
  /** The record's values, or those in state of one that is not there. */
  readonly values: RemoteRecord["values"];
  /** The names of the stacks that use the service. */
  readonly stacks: readonly string[];
  /** Who manages it, or, if nobody does, who leaves it. */
  readonly holders: readonly HeldRecord[];
  /** Those of them that have another record there than in state, or none. */
  readonly differing: readonly Differing[];
  /** All records of the account that have its domain or name, if it is not the only one. */
  readonly twins: readonly RemoteRecord[];
  readonly drift: readonly Drift[];
  /** The arguments whose value in state is of another type, as after an edit by hand. */
  readonly unreadable: readonly string[];
  readonly problems: readonly Problem[];
}

/** What one service with one key said. */
export interface Answer extends Connection {
  readonly lists: readonly {
    readonly resource: Resource;
    readonly records: readonly RemoteRecord[];
    /** Whether nothing is missing. */
    readonly isComplete: boolean;
  }[];
  /** Why nothing more is known of it. */
  readonly error: ApiError | undefined;
  /** How many records of the stacks are to be there. */
  readonly asked: number;
  /** Why it is probably another account. */
  readonly doubts: readonly string[];
  /** What became of the stacks' records that their ids do not lead to. */
  readonly differing: readonly Differing[];
}

const PROBABLY = "the key or the address is probably that of another one";

/** Reads all records of a service. The function that it resolves with compares those that stacks hold. */
async function ask(connection: Connection, logger: Logger) {
  const { endpoint, users } = connection;
  const api = createApi(endpoint, logger);
  const remote = new ServiceRecords(() => api);
  let error: ApiError | undefined;
  const failed = (thrown: unknown): undefined => {
    if (!(thrown instanceof ApiError)) throw thrown;
    error = thrown;
  };
  const resources = catalogue.filter((each) => each.service === endpoint.service);
  const read = async () => {
    if (resources.length === 0) {
      const { getAccount } = await import("../../provider/lookups/index.js");
      await getAccount.invoke({}, { api, warn: logger.warn });
    }
    for (const resource of resources) await remote.list(resource);
  };
  await read().catch(failed);
  return async (held: readonly HeldRecord[], isRightAccount = false): Promise<Answer> => {
    const lists: Answer["lists"][number][] = [];
    const [doubts, differing]: [string[], Differing[]] = [[], []];
    let asked = 0;
    const isOwn = ({ stack, provider, isLeaving }: HeldRecord) =>
      !isLeaving && users.some((user) => user.stack === stack && user.provider === provider);
    const compare = async (resource: Resource) => {
      const { records, complete } = await remote.list(resource);
      const own = held.filter((each) => each.resource === resource && isOwn(each));
      asked += own.length;
      const { doubt, omitted, ...found } = await remote.compare(resource, own, isRightAccount);
      lists.push({ resource, records: [...records, ...omitted], isComplete: complete });
      differing.push(...found.differing);
      if (doubt !== undefined)
        doubts.push(`${pluralName(resource)}: at ${endpoint.baseUrl}, ${doubt}: ${PROBABLY}`);
    };
    for (const resource of resources) if (error === undefined) await compare(resource).catch(failed);
    return { ...connection, lists, error, asked, doubts, differing };
  };
}

/** Compares what stacks hold with a service. */
type Compare = (held: readonly HeldRecord[], isRightAccount?: boolean) => Promise<Answer>;

/** One doubt for all services of an account. */
function doubted(all: readonly Answer[], doubt: string): Answer[] {
  const titles = all.filter(({ asked }) => asked > 0).map(({ endpoint }) => titleOf(endpoint.service));
  return all.map((each, at) => ({
    ...each,
    doubts: at === 0 ? [`${titles.join(" and ")}: at ${each.endpoint.baseUrl}, ${doubt}: ${PROBABLY}`] : [],
    differing: each.differing.map(({ held }) => ({ held })),
  }));
}

/** Compares all, and doubts an account as the provider does: by the records of all kinds that one key and address lead to. */
async function compareAll(services: readonly Compare[], held: readonly HeldRecord[]): Promise<Answer[]> {
  const compared = await Promise.all(
    services.map(async (compare) => ({ compare, answer: await compare(held) })),
  );
  const groups = groupsBy(compared, ({ answer }) => answer.endpoint.account).map(async (group) => {
    const all = group.map(({ answer }) => answer);
    const lost = all.flatMap(({ differing }) => differing);
    const asked = all.reduce((sum, each) => sum + each.asked, 0);
    const isNone = lost.every(({ standing }) => (standing?.status ?? "missing") === "missing");
    const doubt = isNone ? describeNone(asked, asked - lost.length) : undefined;
    if (doubt !== undefined && all.every(({ error }) => error === undefined)) return doubted(all, doubt);
    const isDoubted = all.some(({ doubts }) => doubts.length > 0);
    return asked > lost.length && isDoubted
      ? Promise.all(group.map(({ compare }) => compare(held, true)))
      : all;
  });
  return (await Promise.all(groups)).flat();
}

/** A record with what it is one of. */
interface Listed extends Pick<Row, "resource" | "baseUrl" | "id" | "values" | "stacks" | "twins"> {}

/** The records of an account, each with its twins. */
function listedBy({ endpoint: { baseUrl }, lists, stacks }: Answer): Listed[] {
  return lists.flatMap(({ resource, records }) => {
    const groups = groupsBy(records, ({ values }) => canonicalKey(resource, values)).filter(
      ([, other]) => other,
    );
    const twins = new Map(groups.flatMap((group) => group.map((each) => [each, group] as const)));
    return records.map((each) => ({ ...each, resource, baseUrl, stacks, twins: twins.get(each) ?? [] }));
  });
}

/** The arguments whose value in state no program could have given. */
function unreadableIn({ resource: { inputs }, values }: HeldRecord): string[] {
  const isReadable = {
    list: (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === "string"),
    boolean: (value: unknown) => typeof value === "boolean",
    scalar: (value: unknown) => typeof value === "string" || typeof value === "number",
  };
  return Object.entries(inputs)
    .filter(([name, { shape }]) => values[name] != null && !isReadable[shape](values[name]))
    .map(([name]) => name);
}

/** The managed values that differ, as a refresh would show them. */
function driftOf(found: Pick<RemoteRecord, "id" | "values">, held: HeldRecord): Drift[] {
  const unreadable = unreadableIn(held);
  return Object.entries(held.resource.inputs).flatMap(([argument, field]) => {
    if (unreadable.includes(argument)) return [];
    const [state, service] = [held.values[argument], found.values[argument]];
    if (state === undefined || service === undefined || field.secret) return [];
    if (service !== null && field.matches(state, service)) return [];
    // The program may declare by now the name that someone gave it.
    return argument === held.resource.key && isFound({ held, found }) ? [] : { argument, state, service };
  });
}

/** @param isThere whether the service has the record */
function rowOf(
  place: Listed,
  all: readonly HeldRecord[],
  became: ReadonlyMap<HeldRecord, Differing>,
  isThere: boolean,
): Row {
  const differing = all.flatMap((each) => became.get(each) ?? []);
  const staying = all.filter(({ isLeaving }) => !isLeaving);
  // After a replacement that was killed, nobody may have a record but who leaves it.
  const holders = staying.length > 0 ? staying : all;
  const renamed = differing.filter((each) => problemOf(each) === "renamed-record").map(({ held }) => held);
  const [compared] = [...renamed, ...staying];
  const drift = isThere && compared ? driftOf(place, compared) : [];
  const unreadable = [...new Set(all.flatMap(unreadableIn))];
  const isProblem: Partial<Record<Problem, boolean>> = {
    ...Object.fromEntries(differing.map((each) => [problemOf(each), true])),
    // Without an address, the same id may be that of another service's record.
    "state-unreadable": unreadable.length > 0,
    "managed-twice": staying.length - differing.length > 1 && place.baseUrl !== "",
    "pending-delete": all.length > 0 && staying.length === 0,
    "duplicate-record": place.twins.length > 1,
    drift: drift.length > 0,
    unmanaged: all.length === 0,
  };
  const found = problems.filter((each) => isProblem[each]);
  return { ...place, holders, differing, drift, unreadable, problems: found };
}

function rowsOf(answers: readonly Answer[], held: readonly HeldRecord[]): Row[] {
  const became = new Map(
    answers.flatMap(({ differing }) => differing.map((each) => [each.held, each] as const)),
  );
  // Two keys of one account show its records twice.
  const listed = new Map(answers.flatMap(listedBy).map((each) => [each.id ? placeOf(each) : each, each]));
  const problem = (each: HeldRecord) => {
    const differing = became.get(each);
    return differing && problemOf(differing);
  };
  const isThere = (each: HeldRecord) => (problem(each) ?? "renamed-record") === "renamed-record";
  const holders = managersOf(held.filter(isThere));
  const there = [...listed.values()].map((each) => {
    return rowOf(each, holders.get(placeOf(each)) ?? [], became, true);
  });
  const shown = new Set(there.flatMap((row) => row.holders));
  const kept = new Set(held.filter(({ isLeaving }) => !isLeaving).map(placeOf));
  // What is lost, or what its service was not asked about.
  const others = held.filter((each) => !shown.has(each) && !(each.isLeaving && kept.has(placeOf(each))));
  const groups = groupsBy(others, (each) => JSON.stringify([placeOf(each), problem(each)]));
  const absent = groups.map((all) => {
    const { resource, id, values, baseUrl = "", stack } = all[0];
    const place = { resource, id, values, baseUrl, stacks: [stack], twins: [] };
    return rowOf(place, all, became, false);
  });
  return [...there, ...absent];
}

/**
 * What there is: each record of the services and of the stacks. Nothing is written.
 *
 * @param isAsked whether a service is asked
 */
export async function look(
  wanted: StackOptions,
  folder: string,
  logger: Logger,
  open: OpenStack,
  isAsked: (connection: Connection) => boolean = () => true,
) {
  const { stacks: before, unread } = await readStacks(wanted, folder, open);
  const environment = connectionsOf();
  const isUsed = environment.connections.length + environment.mistakes.length > 0;
  const isMissing = before.length === 0 && unread.every(({ failure }) => failure instanceof NoStack);
  // If nobody named a stack, the environment's settings are enough.
  const isAlone = isMissing && isUsed && wanted.stacks === undefined && !wanted.allStacks;
  const { connections, mistakes, idle } = isAlone ? environment : connectionsOf(before);
  const services = await Promise.all(connections.filter(isAsked).map((each) => ask(each, logger)));
  // The stacks are read after the services: what a run creates meanwhile is in them.
  const stacks = services.length === 0 ? before : await Promise.all(before.map(readAgain));
  const held = stacks.flatMap(({ records }) => records);
  const answers = await compareAll(services, held);
  return { stacks, unread, isAlone, mistakes, idle, answers, rows: rowsOf(answers, held) };
}
