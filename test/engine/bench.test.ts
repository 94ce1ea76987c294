import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { CANDIDATES, prepare, type Runner } from "../../bench/candidates.mjs";
import { type MeasuredRun, measureAll } from "../../bench/measure.mjs";
import { OPERATIONS, violations } from "../../bench/operations.mjs";
import { ensureEngine } from "../../tools/engine/setup.mjs";
import { LEAN } from "./fresh-project";

/** A small run of `npm run bench`, for the exact figures: counts and bytes, never times. */
const SIZE = 10;
const FEW = 3;
const ACCOUNT = 1000;

let ours: Runner;

beforeAll(async () => {
  const [candidate] = CANDIDATES;
  if (candidate === undefined) throw new Error("The bench has no candidates.");
  const engine = await ensureEngine({ log: () => {} });
  ours = await prepare(candidate, { engine, tarball: inject("tarball") });
});

afterAll(() => ours.close());

async function measured(size: number): Promise<MeasuredRun[]> {
  const runs: MeasuredRun[] = [];
  await measureAll([ours], { sizes: [size], rounds: () => 1 }, (run) => void runs.push(run));
  return runs;
}

/** Bytes of one resource in state, without white space, and the texts of `__provider`. */
async function stateOf(): Promise<{ bytes: number; providers: string[] }> {
  const { resources = [] } = (await ours.project?.state())?.deployment ?? {};
  const held = resources.filter(({ type }) => String(type).includes("tracking:"));
  const bytes = held.map((each) => Buffer.byteLength(JSON.stringify(each)));
  const bags = held.flatMap(({ inputs, outputs }) => [inputs, outputs]);
  const providers = bags.map((bag) => String(Reflect.get(Object(bag), "__provider")));
  return { bytes: Math.max(...bytes), providers: [...new Set(providers)] };
}

async function run(args: string[], size: number, pixels = 0): Promise<void> {
  const { code, stdout } = await ours.start({ args, email: 0 }, size, pixels).finished;
  expect(code, stdout).toBe(0);
}

it("state holds at most 1.5 KB of a website and 1.3 KB of a pixel, with one constant of at most 80 bytes for the provider", async () => {
  await run(["up", "--yes", "--skip-preview"], 2);
  const website = await stateOf();
  expect(website.bytes).toBeLessThanOrEqual(1500);
  expect(website.providers.map((text) => text.length <= 80)).toEqual([true]);
  await run(["up", "--yes", "--skip-preview"], 0, 2);
  expect((await stateOf()).bytes).toBeLessThanOrEqual(1300);
  await run(["destroy", "--yes", "--skip-preview"], 0);
  // From here on only requests count.
  Object.assign(ours.project?.env ?? {}, LEAN);
});

describe.each([
  { size: SIZE, account: SIZE, words: `a stack of ${SIZE} websites that holds its account` },
  { size: FEW, account: ACCOUNT, words: `${FEW} websites in an account of ${ACCOUNT}` },
])("the requests of $words", ({ size, account }) => {
  let runs: MeasuredRun[];

  beforeAll(async () => {
    const others = Array.from({ length: account - size }, (_, at) => ({ domain: `other-${at}.example.org` }));
    await ours.service.seed({ websites: others });
    runs = await measured(size);
  });

  it.each(OPERATIONS)("to $name: one for each write, and no more reads than promised", (operation) => {
    const requests = runs.find((run) => run.operation === operation.name)?.requests;
    expect(requests && violations(operation, { records: size, account }, requests)).toEqual([]);
  });
});
