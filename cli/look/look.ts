/** What there is now, without a word for people but of what takes long: what stacks hold, what services have, and a row for each record of either. */
import { ApiError } from "../../provider/api/api";
import { createApi, type Logger } from "../../provider/api/client";
import type { Standing } from "../../provider/lifecycle/standing";
import { catalogue } from "../../provider/resources";
import type { RemoteRecord } from "../../provider/schema/codec";
import { unreadableIn } from "../../provider/schema/compare";
import { canonicalKey, hasKey } from "../../provider/schema/identity";
import { pluralName, type Resource } from "../../provider/schema/resource";
import { groupsBy } from "../alike";
import { withProgress } from "../progress";
import { NoStack } from "../pulumi/explain-failure";
import type { StackOptions } from "../stack-options";
import { titleOf } from "../unread";
import { type Connection, connectionsOf } from "./connections";
import { type HeldRecord, managersOf, placeOf } from "./held";
import { type Differing, ServiceRecords, type Verified, verifyAccount } from "./service";
import { type OpenStack, readAgain, readStacks } from "./stacks";

/** What may be wrong with a record, the worst first. */
export const problems = [
  "wrong-account",
  "record-missing",
  "wrong-id",
  "another-record",
  "record-unreadable",
  "state-unreadable",
  "managed-twice",
  "pending-delete",
  "duplicate-record",
  "drift",
  "unmanaged",
] as const;
export type Problem = (typeof problems)[number];

/** The problem that each status of a record is, if any. */
const problemsByStatus = {
  same: undefined,
  unreadable: "record-unreadable",
  another: "another-record",
  displaced: "wrong-id",
  missing: "record-missing",
} as const satisfies Record<Standing["status"], Problem | undefined>;

/** Without a status, the account is probably another one, and nothing more is known of its records. */
const problemOf = ({ standing }: Differing): Problem | undefined =>
  standing ? problemsByStatus[standing.status] : "wrong-account";

/** A managed value that differs between state and service. */
export interface Drift {
  readonly argument: string;
  readonly state: unknown;
  readonly service: unknown;
}

/** A record of a service, or one that only stacks have. */
export interface RecordRow {
  readonly resource: Resource;
  readonly baseUrl: string;
  /** Absent if the service sent none. */
  readonly id: string | undefined;
  /** The service's values; of a record that only stacks have, those in state. */
  readonly values: RemoteRecord["values"];
  /** The names of the stacks that use the service. */
  readonly stacks: readonly string[];
  /** The resources that manage it, or, without any, those that an `up` replaced and did not delete yet. */
  readonly holders: readonly HeldRecord[];
  /** Those of them whose id leads to another record than state has, or to none. */
  readonly differing: readonly Differing[];
  /** All records of the account with its domain or name, if there are several. */
  readonly twins: readonly RemoteRecord[];
  readonly drift: readonly Drift[];
  /** The arguments whose value in state is of another type, as after an edit by hand. */
  readonly unreadable: readonly string[];
  readonly problems: readonly Problem[];
}

/** What one service answers to one API key, and what became there of the records that stacks hold. */
export interface Answer extends Connection, Verified {
  readonly lists: readonly {
    readonly resource: Resource;
    readonly records: readonly RemoteRecord[];
    /** The service has shown that there are no others. */
    readonly isComplete: boolean;
  }[];
  /** The reason why it can't be read, or not to the end. */
  readonly error: ApiError | undefined;
}

const PROBABLY = "the key or the address is probably that of another one";

/** A service whose lists are read. */
interface ReadService extends Connection {
  /** Completes its answer with what became of the records that stacks hold. */
  verify(held: readonly HeldRecord[], options?: { skipsDoubt: boolean }): Promise<Answer>;
}

/** Reads all records of a service. An error is part of its answer. */
async function readService(connection: Connection, logger: Logger): Promise<ReadService> {
  const { endpoint, providers } = connection;
  const api = createApi(endpoint, logger);
  const remote = new ServiceRecords(() => api);
  let error: ApiError | undefined;
  const keepError = (thrown: unknown): undefined => {
    if (!(thrown instanceof ApiError)) throw thrown;
    error = thrown;
  };
  const resources = catalogue.filter(({ service }) => service === endpoint.service);
  const read = async () => {
    // The marketplace has no records to list: reading the account shows whether its address and API key work.
    if (resources.length === 0) {
      const { getAccount } = await import("../../provider/lookups/index.js");
      await getAccount.invoke({}, { api, warn: logger.warn });
    }
    for (const resource of resources) await remote.list(resource);
  };
  const what = `Reading ${titleOf(endpoint.service)} at ${endpoint.baseUrl}`;
  await withProgress(what, read).catch(keepError);
  const verify: ReadService["verify"] = async (held, options) => {
    const lists: Answer["lists"][number][] = [];
    const [doubts, differing]: [string[], Differing[]] = [[], []];
    let expected = 0;
    const isManagedHere = ({ stack, provider, isPendingDelete }: HeldRecord) =>
      !isPendingDelete && providers.some((other) => other.stack === stack && other.provider === provider);
    const verifyKind = async (resource: Resource) => {
      const { records, complete } = await remote.list(resource);
      const ofKind = held.filter((record) => record.resource === resource && isManagedHere(record));
      const { omitted, ...verified } = await remote.verify(resource, ofKind, options);
      expected += verified.expected;
      lists.push({ resource, records: [...records, ...omitted], isComplete: complete });
      differing.push(...verified.differing);
      for (const doubt of verified.doubts)
        doubts.push(`${pluralName(resource)}: at ${endpoint.baseUrl}, ${doubt}: ${PROBABLY}`);
    };
    for (const resource of resources) if (error === undefined) await verifyKind(resource).catch(keepError);
    return { ...connection, lists, error, expected, doubts, differing };
  };
  return { ...connection, verify };
}

/** The answers of one account with one doubt for all of them, so that it is reported once. */
function doubted(answers: readonly Answer[], doubt: string): Answer[] {
  const titles = answers
    .filter(({ expected }) => expected > 0)
    .map(({ endpoint }) => titleOf(endpoint.service));
  return answers.map((answer, at) => ({
    ...answer,
    doubts: at === 0 ? [`${titles.join(" and ")}: at ${answer.endpoint.baseUrl}, ${doubt}: ${PROBABLY}`] : [],
    differing: answer.differing.map(({ held }) => ({ held })),
  }));
}

/** Verifies the records of all stacks, account by account: its websites and its pixels are doubted together. */
async function verifyAll(services: readonly ReadService[], held: readonly HeldRecord[]): Promise<Answer[]> {
  const accounts = groupsBy(services, ({ endpoint }) => endpoint.account).map(async (group) => {
    const { parts: answers, doubt } = await verifyAccount((options) =>
      Promise.all(group.map((service) => service.verify(held, options))),
    );
    const isWhole = answers.every(({ error }) => error === undefined);
    return typeof doubt === "string" && isWhole ? doubted(answers, doubt) : answers;
  });
  return (await Promise.all(accounts)).flat();
}

/** A record of a service's list. */
interface Listed extends Pick<RecordRow, "resource" | "baseUrl" | "id" | "values" | "stacks" | "twins"> {}

/** The records of an account, each with its twins. */
function listedBy({ endpoint: { baseUrl }, lists, stacks }: Answer): Listed[] {
  return lists.flatMap(({ resource, records }) => {
    const groups = groupsBy(records, ({ values }) => canonicalKey(resource, values)).filter(
      ([{ values }, other]) => other && values[resource.key] != null,
    );
    const twins = new Map(groups.flatMap((group) => group.map((record) => [record, group] as const)));
    return records.map((record) => {
      return { ...record, resource, baseUrl, stacks, twins: twins.get(record) ?? [] };
    });
  });
}

/** The managed values that differ, as a refresh shows them. */
function driftOf(found: Pick<RemoteRecord, "id" | "values">, held: HeldRecord): Drift[] {
  const unreadable = unreadableIn(held.resource, held.values);
  return Object.entries(held.resource.inputs).flatMap(([argument, field]) => {
    if (unreadable.includes(argument)) return [];
    const [state, service] = [held.values[argument], found.values[argument]];
    if (state === undefined || service === undefined || field.secret) return [];
    if (service !== null && field.matches(state, service)) return [];
    // The service may store a domain without its `www.`: that is no drift.
    const isKey = argument === held.resource.key && hasKey(held.resource, held.values, found.values);
    return isKey ? [] : { argument, state, service };
  });
}

/** What stacks have of one record. */
interface Claims {
  /** Their resources for it, including those that leave it. */
  readonly held: readonly HeldRecord[];
  /** What became of the records whose ids do not lead to them. */
  readonly differences: ReadonlyMap<HeldRecord, Differing>;
  /** Whether the service has it. */
  readonly isOnService: boolean;
}

function rowOf(place: Listed, { held, differences, isOnService }: Claims): RecordRow {
  const differing = held.flatMap((record) => differences.get(record) ?? []);
  const staying = held.filter(({ isPendingDelete }) => !isPendingDelete);
  // After an `up` that was killed as it replaced a resource, only the replaced one may have the record.
  const holders = staying.length > 0 ? staying : held;
  const [compared] = staying;
  const drift = isOnService && compared ? driftOf(place, compared) : [];
  const unreadable = [...new Set(held.flatMap(({ resource, values }) => unreadableIn(resource, values)))];
  // A key that can't be read differs from any other.
  const comparable = unreadable.includes(place.resource.key) ? [] : differing;
  const isProblem: Partial<Record<Problem, boolean>> = {
    ...Object.fromEntries(comparable.map((difference) => [problemOf(difference), true])),
    "state-unreadable": unreadable.length > 0,
    // Without an address, the same id may be that of another service's record.
    "managed-twice": staying.length - differing.length > 1 && place.baseUrl !== "",
    "pending-delete": held.length > 0 && staying.length === 0,
    "duplicate-record": place.twins.length > 1,
    drift: drift.length > 0,
    unmanaged: held.length === 0,
  };
  const found = problems.filter((problem) => isProblem[problem]);
  return { ...place, holders, differing, drift, unreadable, problems: found };
}

/** A row for each record of the services, and one for each that only stacks have. */
function rowsOf(answers: readonly Answer[], held: readonly HeldRecord[]): RecordRow[] {
  const differences = new Map(
    answers.flatMap(({ differing }) => differing.map((difference) => [difference.held, difference] as const)),
  );
  const problemWith = (record: HeldRecord) => {
    const difference = differences.get(record);
    return difference && problemOf(difference);
  };
  // A key that can't be read, in state or on the service, differs from any other.
  const isOnService = (record: HeldRecord) =>
    [undefined, "record-unreadable"].includes(problemWith(record)) ||
    unreadableIn(record.resource, record.values).includes(record.resource.key);

  // The records that services have. Two API keys of one account list its records twice.
  const listed = new Map(
    answers.flatMap(listedBy).map((record) => [record.id ? placeOf(record) : record, record]),
  );
  const managers = managersOf(held.filter(isOnService));
  const present = [...listed.values()].map((record) => {
    return rowOf(record, { held: managers.get(placeOf(record)) ?? [], differences, isOnService: true });
  });

  // The records that only stacks have: a lost one, or one whose service was not asked. A resource that leaves one which another
  // keeps is no row.
  const placed = new Set(present.flatMap((row) => row.holders));
  const kept = new Set(held.filter(({ isPendingDelete }) => !isPendingDelete).map(placeOf));
  const lost = held.filter((record) => {
    return !placed.has(record) && !(record.isPendingDelete && kept.has(placeOf(record)));
  });
  const groups = groupsBy(lost, (record) => JSON.stringify([placeOf(record), problemWith(record)]));
  const absent = groups.map((group) => {
    const { resource, id, values, baseUrl = "", stack } = group[0];
    const place = { resource, id, values, baseUrl, stacks: [stack], twins: [] };
    return rowOf(place, { held: group, differences, isOnService: false });
  });
  return [...present, ...absent];
}

/**
 * Reads stacks and services, and joins them: a row for each record, with its problems. Writes nothing.
 *
 * @param isAsked whether to ask a service; by default, all are asked
 */
export async function look(
  options: StackOptions,
  folder: string,
  logger: Logger,
  open: OpenStack,
  isAsked: (connection: Connection) => boolean = () => true,
) {
  // Stacks, and the services that their settings lead to.
  const { stacks: before, unreadStacks } = await withProgress("Reading the stacks", () =>
    readStacks(options, folder, open),
  );
  const environment = connectionsOf();
  const hasEnvironment = environment.connections.length + environment.mistakes.length > 0;
  const hasNoStack = before.length === 0 && unreadStacks.every(({ failure }) => failure instanceof NoStack);
  // In a folder without a stack, `list` and `doctor` still work with the environment's settings, unless a stack was named.
  const usesEnvironment = hasNoStack && hasEnvironment && options.stacks === undefined && !options.allStacks;
  const { connections, mistakes, idleStacks } = usesEnvironment ? environment : connectionsOf(before);

  // Services, and then the stacks again: else a record that a run creates meanwhile would be in no stack.
  const services = await Promise.all(
    connections.filter(isAsked).map((connection) => readService(connection, logger)),
  );
  const stacks = services.length === 0 ? before : await Promise.all(before.map(readAgain));

  // Both, joined.
  const held = stacks.flatMap(({ records }) => records);
  const answers = await verifyAll(services, held);
  return {
    stacks,
    unreadStacks,
    usesEnvironment,
    mistakes,
    idleStacks,
    answers,
    rows: rowsOf(answers, held),
  };
}
