import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { contest } from "../../bench/contest.mjs";
import { enterProject } from "../../bench/contestants.mjs";
import { Figures } from "../../bench/figures.mjs";
import { GOALS, type Report } from "../../bench/goals.mjs";
import { OPERATIONS, operation } from "../../bench/operations.mjs";
import { beyond } from "../../bench/requests.mjs";
import { startService } from "../../bench/service.mjs";
import { ensureEngine } from "../../tools/engine/setup.mjs";

/** A small run of `npm run bench`, for what is exact at any size: counts and bytes, never times. */
const SIZE = 30;

let report: Report;
const endings: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const engine = await ensureEngine({ say: () => {} });
  const packages = { tarball: inject("tarball") };
  const enter = async (name: string) => {
    const { client: service, stop } = await startService();
    endings.unshift(stop);
    const entrant = await enterProject(name, { engine, service }, packages);
    endings.unshift(entrant.leave);
    return entrant;
  };
  const { runs, states } = await contest([await enter("ours")], { sizes: [SIZE], rounds: 1 }, () => {});
  const pixels = await enter("pixels");
  expect((await pixels.start(operation("up"), SIZE).finished).code).toBe(0);
  report = { figures: new Figures(runs), states, pixels: await pixels.state() };
});

afterAll(async () => {
  for (const end of endings) await end();
});

describe(`requests for ${SIZE} websites`, () => {
  it.each(OPERATIONS)("of $name: one for each write, and one page of the list", (asked) => {
    const figure = report.figures.at("ours", SIZE, asked.name);
    expect(figure && beyond(asked, SIZE, figure.requests)).toEqual([]);
  });
});

it.each(["`__provider`", "state of a website with defaults", "state of a pixel"])(
  "%s is as small as promised",
  (what) => {
    const goal = GOALS.find((each) => each.what === what);
    expect(goal?.judge(report)).toMatchObject({ met: true });
  },
);
