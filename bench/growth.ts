import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diagnose } from "../cli/doctor/diagnose";
import { importRecords } from "../cli/import/import";
import { Stack } from "../cli/pulumi/stack";
import { createApi } from "../provider/api/client";
import { endpoint } from "../provider/config";
import { codeOf, tokenOf } from "../provider/hosts/dynamic/code";
import { ledgerAt } from "../provider/hosts/run-file";
import { getOne } from "../provider/lookups";
import { website } from "../provider/resources";
import type { Values } from "../provider/schema/resource";
import { createSession, RunState, type Session } from "../provider/session";
import type { startService } from "./candidates.mjs";

/** What one operation took for each record, in one round. */
export interface GrowthRun {
  readonly size: number;
  readonly operation: string;
  /** Processor time of the provider or the command, without the service's. */
  readonly cpuMs: number;
  readonly requests: number;
}

/** As many calls as the engine makes at once on a small machine. */
const AT_ONCE = 8;
const ROUNDS = 3;
/**
 * How many records are looked up at most: the tests' service goes through all that it has at each. Of fewer, one collection
 * of what ten thousand records leave in memory would be most of the time.
 */
const SAMPLE = 3000;
const logger = { warn: () => {}, debug: () => {} };
const argsOf = (at: number) => ({ domain: `site-${at}.example.com` });
const urnOf = (at: number) => `urn:pulumi:dev::shop::${tokenOf(website)}::site-${at}`;

/** A stack whose `pulumi` answers from what is given: it has nothing before an import, and then everything. */
function madeUpStack(
  settings: Readonly<Record<string, string>>,
  held: readonly { id: string; state: Values }[],
) {
  const type = tokenOf(website);
  let isImported = false;
  const answer = async (line: string): Promise<unknown> => {
    const [, file] = /--import-file (\S+)/.exec(line) ?? [];
    const states = held.map(({ id, state }, at) => {
      const inputs = { ...state, __provider: codeOf(website) };
      return { urn: urnOf(at), name: `site-${at}`, type, id, inputs, protect: true };
    });
    if (line.startsWith("import")) isImported = true;
    if (line.startsWith("config"))
      return Object.fromEntries(
        Object.entries(settings).map(([name, value]) => [`tracking:${name}`, { value }]),
      );
    if (line.startsWith("stack export")) return { deployment: { resources: isImported ? states : [] } };
    if (file === undefined) return line === "version" ? "v3.258.0" : "dev";
    const planned = states.map(({ id: _, ...state }) => state);
    await writeFile(file, JSON.stringify({ resources: isImported ? [] : planned }));
    const change = (state: object) => (isImported ? { op: "same", oldState: state } : { op: "create" });
    return { steps: planned.map((state) => ({ ...change(state), urn: state.urn, newState: state })) };
  };
  return (name = "dev") =>
    new Stack(name, async (line) => {
      const printed = await answer(line.join(" "));
      const stdout = typeof printed === "string" ? printed : JSON.stringify(printed);
      return { code: 0, stdout, stderr: "" };
    });
}

/** Measures every operation once at one size. */
async function measureRound(
  size: number,
  start: typeof startService,
  report: (run: GrowthRun) => void,
): Promise<void> {
  const service = await start();
  const settings = { explicit: "true", apiKey: "bench-key", analyticsBaseUrl: service.url };
  const source = { get: (name: string): string | undefined => Reflect.get(settings, name) };
  const api = createApi(endpoint("analytics", source), logger);
  const folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-growth-"));
  await writeFile(join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  const held: { id: string; state: Values }[] = [];
  const stack = madeUpStack({ ...settings, dataBaseUrl: service.url }, held);

  /** Calls a new session for each record, as a run of its own with its ledger in a file, as under an engine. */
  const forEachRecord = async (
    call: (session: Session, at: number, id: string, state: Values) => Promise<unknown>,
    count = size,
  ) => {
    const ledger = ledgerAt(`growth ${randomUUID()}`);
    const session = createSession(website, new RunState(logger, ledger));
    session.configure(source);
    let next = 0;
    const worker = async () => {
      for (let at = next++; at < count; at = next++) {
        const { id, state } = held[at] ?? { id: "", state: {} };
        await call(session, at, id, state);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return count;
  };
  const check = async (session: Session, at: number, olds: Values, more: Values = {}) => {
    const { values, failures } = await session.check(olds, { ...argsOf(at), ...more }, urnOf(at));
    if (failures.length > 0) throw new Error(failures.join("; "));
    return values;
  };
  /** Each operation. One that takes only some of the records returns how many. */
  const operations: Record<string, () => Promise<unknown>> = {
    create: () =>
      forEachRecord(async (session, at) => {
        held[at] = await session.create(await check(session, at, {}));
      }),
    refresh: () => forEachRecord((session, _, id, state) => session.read(id, state)),
    "no change": () =>
      forEachRecord(async (session, at, id, state) => {
        const { changed } = await session.diff(id, state, await check(session, at, state));
        if (changed.length > 0) throw new Error(`no change is a change of ${urnOf(at)}`);
      }),
    update: () =>
      forEachRecord(async (session, at, id, state) => {
        const values = await check(session, at, state, { emailReports: true });
        await session.diff(id, state, values);
        held[at] = { id, state: await session.update(id, state, values) };
      }),
    "look of adopt": () => forEachRecord((session, at) => check(session, at, {}, { adopt: true })),
    "look-up by domain": () =>
      forEachRecord(
        (_, at) => getOne(website).invoke(argsOf(at), { api, ...logger }),
        Math.min(size, SAMPLE),
      ),
    "import --declared": () => {
      const options = { apply: true, declared: true };
      return importRecords({ stack: stack(), options, folder, command: "", print: () => {} });
    },
    doctor: async () => {
      const { counts } = await diagnose({}, folder, logger, stack);
      if (counts.error > 0) throw new Error("the doctor finds errors");
    },
    delete: () => forEachRecord((session, _, id, state) => session.delete(id, state)),
  };
  try {
    for (const [operation, run] of Object.entries(operations)) {
      await service.ask("clearRequests");
      const before = process.cpuUsage();
      const result = await run();
      const count = typeof result === "number" ? result : size;
      const { user, system } = process.cpuUsage(before);
      const requests = (await service.ask("requests")).length / count;
      report({ size, operation, cpuMs: (user + system) / 1000 / count, requests });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
    await service.stop();
  }
}

/** Measures every operation in this process, without the engine, in some rounds at each size. */
export async function measureGrowth(
  sizes: readonly number[],
  start: typeof startService,
  report: (run: GrowthRun) => void,
): Promise<void> {
  // The first round compiles the code, and does not count.
  await measureRound(300, start, () => {});
  // In turns, so that other load on the machine affects all sizes.
  for (let left = ROUNDS; left > 0; left -= 1)
    for (const size of sizes) await measureRound(size, start, report);
}
