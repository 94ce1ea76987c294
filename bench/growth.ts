import { randomUUID } from "node:crypto";
import { tokenOf } from "../provider/hosts/dynamic/code";
import { ledgerAt } from "../provider/hosts/run-file";
import { website } from "../provider/resources";
import type { Values } from "../provider/schema/resource";
import { createSession, RunState, type Session } from "../provider/session";
import type { startService } from "./candidates.mjs";

/** What one operation took for each record, in one round. */
export interface Grown {
  readonly size: number;
  readonly operation: string;
  /** Processor time of the provider, without the service's. */
  readonly cpuMs: number;
  readonly requests: number;
}

/** As many calls as the engine makes at once on a small machine. */
const AT_ONCE = 8;
const ROUNDS = 3;
const logger = { warn: () => {}, debug: () => {} };
const args = (at: number) => ({ domain: `site-${at}.example.com` });
const urnOf = (at: number) => `urn:pulumi:dev::shop::${tokenOf(website)}::site-${at}`;

/** Measures every operation in this process, without the engine, in some rounds at each size. */
export async function measureGrowth(
  sizes: readonly number[],
  start: typeof startService,
  found: (run: Grown) => void,
): Promise<void> {
  // The first round compiles the code, and does not count.
  await round(300, start, () => {});
  // In turns, so that other load on the machine affects all sizes.
  for (let left = ROUNDS; left > 0; left -= 1) for (const size of sizes) await round(size, start, found);
}

async function round(size: number, start: typeof startService, found: (run: Grown) => void) {
  const service = await start();
  const settings = { explicit: "true", apiKey: "bench-key", analyticsBaseUrl: service.url };
  const source = { get: (name: string): string | undefined => Reflect.get(settings, name) };
  const held: { id: string; state: Values }[] = [];

  /** Calls a new session for each record, as a run of its own with its ledger in a file, as under an engine. */
  const each = async (act: (session: Session, at: number, id: string, state: Values) => Promise<unknown>) => {
    const ledger = ledgerAt(`growth ${randomUUID()}`, () => {});
    const session = createSession(website, new RunState(logger, ledger));
    session.configure(source);
    let next = 0;
    const lane = async () => {
      for (let at = next++; at < size; at = next++) {
        const { id, state } = held[at] ?? { id: "", state: {} };
        await act(session, at, id, state);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  };
  const checked = async (session: Session, at: number, olds: Values, more: Values = {}) => {
    const { values, failures } = await session.check(olds, { ...args(at), ...more }, urnOf(at));
    if (failures.length > 0) throw new Error(failures.join("; "));
    return values;
  };
  const operations: Record<string, () => Promise<void>> = {
    create: () =>
      each(async (session, at) => {
        held[at] = await session.create(await checked(session, at, {}));
      }),
    refresh: () => each((session, _, id, state) => session.read(id, state)),
    "no change": () =>
      each(async (session, at, id, state) => {
        const { changed } = await session.diff(id, state, await checked(session, at, state));
        if (changed.length > 0) throw new Error(`no change is a change of ${urnOf(at)}`);
      }),
    update: () =>
      each(async (session, at, id, state) => {
        const values = await checked(session, at, state, { emailReports: true });
        await session.diff(id, state, values);
        held[at] = { id, state: await session.update(id, state, values) };
      }),
    "look of adopt": () => each((session, at) => checked(session, at, {}, { adopt: true })),
    delete: () => each((session, _, id, state) => session.delete(id, state)),
  };
  try {
    for (const [operation, act] of Object.entries(operations)) {
      await service.ask("clearRequests");
      const before = process.cpuUsage();
      await act();
      const { user, system } = process.cpuUsage(before);
      const requests = (await service.ask("requests")).length / size;
      found({ size, operation, cpuMs: (user + system) / 1000 / size, requests });
    }
  } finally {
    await service.stop();
  }
}
