import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { benchmark } from "../../bench/benchmark.mjs";
import { prepareProject } from "../../bench/candidates.mjs";
import { Figures } from "../../bench/figures.mjs";
import { GOALS, type Report } from "../../bench/goals.mjs";
import { OPERATIONS, operation } from "../../bench/operations.mjs";
import { requestViolations } from "../../bench/requests.mjs";
import { startService } from "../../bench/service.mjs";
import { ensureEngine } from "../../tools/engine/setup.mjs";
import { measuredCode } from "../../tools/measured-code.mjs";
import { tableBelow } from "../bench/page";
import { LEAN } from "./fresh-project";

/** A small run of `npm run bench`, for exact figures only: counts and bytes, never times. A size that its page has. */
const SIZE = 10;
const FEW = 3;
const ACCOUNT = 1000;

let report: Report;
let ours: Awaited<ReturnType<typeof prepare>>;
const endings: (() => Promise<void>)[] = [];

async function prepare(name: string) {
  const engine = await ensureEngine({ log: () => {} });
  const { client: service, stop } = await startService();
  endings.unshift(stop);
  const runner = await prepareProject(name, { engine, service }, { tarball: inject("tarball") });
  endings.unshift(runner.close);
  return runner;
}

/**
 * Runs all operations on a stack of this many websites. The first one, whose state is measured, starts its processes as
 * for users: the state names the file that a resource's constructor was called from.
 */
async function run(size: number) {
  const few = { sizes: [size], rounds: () => 1 };
  const lean = async () => void Object.assign(ours.project.env, LEAN);
  const { runs, states } = await benchmark([ours], few, () => {}, lean);
  return { figures: new Figures(runs), states };
}

beforeAll(async () => {
  ours = await prepare("ours");
});

afterAll(async () => {
  for (const end of endings) await end();
});

describe(`the requests of a stack that holds its account, ${SIZE} websites`, () => {
  beforeAll(async () => {
    const pixels = await prepare("pixels");
    expect((await pixels.start(operation("up"), SIZE).finished).code).toBe(0);
    report = { ...(await run(SIZE)), pixels: await pixels.state() };
  });

  // If the engine reads one record before all others, that one takes a separate request.
  const alone = (name: string) => ["refresh", "change", "destroy"].includes(name);
  it.each(OPERATIONS)("of $name: one for each write, and one page of the list", (asked) => {
    const figure = report.figures.at("ours", SIZE, asked.name);
    expect(
      figure && requestViolations(asked, SIZE, figure.requests, { spare: alone(asked.name) ? 1 : 0 }),
    ).toEqual([]);
  });

  it.each(["`__provider`", "state of a website with defaults", "state of a pixel"])(
    "and its %s are as small as promised",
    (what) => {
      const goal = GOALS.find((each) => each.what === what);
      expect(goal?.judge(report)).toMatchObject({ met: true });
    },
  );
});

it(`docs/performance.md says how large the state of ${SIZE} websites is, and of a pixel`, ({ skip }) => {
  const page = readFileSync("docs/performance.md", "utf8");
  if (measuredCode(page) === undefined) skip("the page is from before it named its commit");
  const website = tableBelow(page, "## State").find(({ websites }) => websites === String(SIZE));
  const pixel = tableBelow(page, "## Goals").find(({ what }) => what === "state of a pixel");
  const [ours] = report.states.filter(({ candidate }) => candidate === "ours");
  const bytes = (text = "") => Number.parseInt(text.replace(",", ""), 10);
  // The engine writes times without the zeros at their end.
  const apart = [
    bytes(website?.["ours, bytes each"]) - (ours?.state.bytes ?? 0),
    bytes(pixel?.measured) - (report.pixels?.bytes ?? 0),
  ].map(Math.abs);
  expect(Math.max(...apart)).toBeLessThanOrEqual(4);
});

describe(`the requests of ${FEW} websites in an account of ${ACCOUNT}`, () => {
  let figures: Figures;

  beforeAll(async () => {
    const others = Array.from({ length: ACCOUNT - FEW }, (_, at) => ({ domain: `other-${at}.example.org` }));
    await ours.service.seed({ websites: others });
    ({ figures } = await run(FEW));
  });

  it.each(OPERATIONS)(
    "of $name: one for each write, one read of each, and two to see whether pages pay",
    (asked) => {
      const figure = figures.at("ours", FEW, asked.name);
      expect(figure && requestViolations(asked, FEW, figure.requests, { account: ACCOUNT })).toEqual([]);
    },
  );
});
