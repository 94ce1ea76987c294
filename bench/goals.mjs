import { ratio } from "./figures.mjs";
import { OPERATIONS, operation } from "./operations.mjs";
import { atMost, judged } from "./outcome.mjs";
import { inShort, requestViolations } from "./requests.mjs";

/**
 * @typedef {object} Report everything that one run measured
 * @property {import("./figures.mjs").Figures} figures
 * @property {readonly { candidate: string, size: number, state: import("./state.mjs").State }[]} states
 * @property {import("./state.mjs").State | undefined} [pixels]
 * @property {{ ms: number, emptyMs: number, eager: readonly string[] }} [host]
 * @property {{ size: number, ms: number, finished: boolean, requests: number }} [paced]
 * @property {readonly import("./measure.mjs").MeasuredRun[]} [settings] runs with the engine's own settings
 *
 * @typedef {import("./outcome.mjs").Outcome} Outcome
 *
 * @typedef {object} Goal
 * @property {string} what
 * @property {string} goal
 * @property {(report: Report) => Outcome | undefined} judge undefined if it was not measured
 */

/** The size at which time goals are judged. */
const LARGE = 1000;
const MEGABYTE = 1e6;

/** The promised figures, in the document's order. @type {readonly Goal[]} */
export const GOALS = [
  {
    what: "`__provider`",
    goal: "one constant, at most 80 bytes",
    judge: (report) => {
      const providers = new Set(ourStates(report).flatMap(({ providers }) => providers));
      const bytes = [...providers].map((text) => Buffer.byteLength(text));
      return atMost(
        80,
        Math.max(...bytes),
        (most) => `${providers.size} text, ${most} bytes`,
        providers.size === 1,
      );
    },
  },
  {
    what: "state of a website with defaults",
    goal: "at most 1,500 bytes",
    judge: (report) => atMost(1500, Math.max(...ourStates(report).map(({ bytes }) => bytes)), bytesText),
  },
  {
    what: "state of a pixel",
    goal: "at most 1,300 bytes",
    judge: ({ pixels }) => atMost(1300, pixels?.bytes, bytesText),
  },
  {
    what: "`up` of 1,000, compared with naive",
    goal: "at least 5 × faster",
    judge: (report) => judged(wallRatios(report, "up", ["naive", "ours"]), (times) => times >= 5),
  },
  {
    what: "`up` of 1,000, compared with the floor",
    goal: "at most 1.1 × its time",
    judge: (report) => judged(wallRatios(report, "up", ["ours", "floor"]), (times) => times <= 1.1),
  },
  {
    what: "`preview` of 1,000 with nothing to do, compared with the floor",
    goal: "at most 1.05 × its time",
    judge: (report) => judged(wallRatios(report, "preview", ["ours", "floor"]), (times) => times <= 1.05),
  },
  ...OPERATIONS.map((each) => requestsGoal(each.name)),
  {
    what: "`refresh` of 1,000 against 60 requests a minute",
    goal: "under 15 s",
    judge: ({ paced }) => {
      if (paced === undefined || paced.size !== LARGE) return undefined;
      const seconds = (paced.ms / 1000).toFixed(1);
      const measured = paced.finished ? `${seconds} s` : `stopped after ${seconds} s`;
      return {
        measured: `${measured}, ${paced.requests} requests`,
        met: paced.finished && paced.ms < 15_000,
      };
    },
  },
  {
    what: "loading the host",
    goal: "at most 150 ms more than an empty module",
    judge: ({ host }) => host && atMost(150, host.ms - host.emptyMs, (ms) => `${ms.toFixed(0)} ms`),
  },
  {
    what: "`got` and `zod`",
    goal: "loaded on first use",
    judge: ({ host }) =>
      host && {
        measured:
          host.eager.length === 0
            ? "not loaded with the host"
            : `loaded with the host: ${host.eager.join(", ")}`,
        met: host.eager.length === 0,
      },
  },
  {
    what: "peak memory of the provider's process, `up` of 1,000",
    goal: "at most 1.1 × the floor's + 10 MB + what `got` grows by (bare, from the fewest websites to 1,000)",
    judge: ({ figures }) => {
      // Measured: `got` and `zod` take 15 MB when they are loaded, and a process that only sends 1,000 requests with
      // `got` grows by another 50 MB, most of it memory that the garbage collector has no reason to give back.
      const grown = peakOf(figures, LARGE) - peakOf(figures, figures.sizes[0] ?? LARGE);
      const ours = figures.at("ours", LARGE, "up")?.peakBytes;
      const floor = figures.at("floor", LARGE, "up")?.peakBytes;
      if (ours === undefined || floor === undefined) return undefined;
      const over = figures.byRound(["ours", "floor"], LARGE, "up", (one, other) =>
        one.peakBytes === undefined || other.peakBytes === undefined
          ? undefined
          : one.peakBytes - (1.1 * other.peakBytes + 10 * MEGABYTE + grown),
      );
      const { met } = judged(over, (bytes) => bytes <= 0) ?? {};
      return { measured: `${megabytes(ours)} against ${megabytes(floor)}, and ${megabytes(grown)}`, met };
    },
  },
];

/**
 * @param {import("./figures.mjs").Figures} figures
 * @param {number} size
 */
function peakOf(figures, size) {
  return figures.at("bare", size, "up")?.peakBytes ?? 0;
}

/** @param {number} bytes */
export function megabytes(bytes) {
  return `${(bytes / MEGABYTE).toFixed(0)} MB`;
}

/**
 * Counts are exact, so they are judged at every size.
 *
 * @param {string} name
 * @returns {Goal}
 */
function requestsGoal(name) {
  const asked = operation(name);
  const reading = asked.write !== undefined || asked.reads === true;
  const writes = asked.write === undefined ? "" : `one ${asked.write} a record, `;
  return {
    what: `requests of ${asked.title}`,
    goal: reading ? `${writes}one list page for every 100 records` : "0",
    judge: ({ figures }) => {
      const found = figures.sizes.flatMap((size) => {
        const figure = figures.at("ours", size, name);
        return figure === undefined ? [] : [{ size, requests: figure.requests, ms: figure.wall.most }];
      });
      const last = found.at(-1);
      if (last === undefined) return undefined;
      const met = found.every(
        ({ size, requests, ms }) => requestViolations(asked, size, requests, { ms }).length === 0,
      );
      return { measured: `${inShort(last.requests)} for ${last.size}`, met };
    },
  };
}

/** @param {Report} report */
function ourStates({ states }) {
  return states.filter(({ candidate }) => candidate === "ours").map(({ state }) => state);
}

/**
 * @param {Report} report
 * @param {string} name
 * @param {readonly [string, string]} candidates
 */
function wallRatios({ figures }, name, candidates) {
  return figures.byRound(candidates, LARGE, name, (one, other) => ratio(one.wallMs, other.wallMs));
}

/** @param {number} value */
function bytesText(value) {
  return `${value.toLocaleString("en")} bytes`;
}
