import { CANDIDATES } from "./candidates.mjs";
import { OPERATIONS } from "./operations.mjs";
import { PARTS } from "./processes.mjs";

/**
 * @typedef {import("./measure.mjs").MeasuredRun} MeasuredRun
 *
 * @typedef {object} Report everything that one run measured
 * @property {readonly MeasuredRun[]} runs
 * @property {readonly (readonly [string, string])[]} machine
 * @property {readonly number[]} gotMs the processor time that loading `got` took, each time
 */

/** @param {readonly MeasuredRun[]} runs */
const sizesOf = (runs) => [...new Set(runs.map(({ size }) => size))].sort((one, other) => one - other);

/**
 * One figure of each round, in order.
 *
 * @param {readonly MeasuredRun[]} runs
 * @param {string} candidate
 * @param {string} operation
 * @param {number} size
 * @param {(run: MeasuredRun) => number} figure
 */
function figuresOf(runs, candidate, operation, size, figure) {
  return runs
    .filter((run) => run.candidate === candidate && run.operation === operation && run.size === size)
    .map(figure);
}

/** The mean of the middle two for an even number of values. @param {readonly number[]} values */
function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** The median with the least and the most: `1.2 (1.1 to 1.4)`. @param {readonly number[]} values @param {number} digits */
function medianAndRange(values, digits) {
  if (values.length === 0) return "–";
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `${median(values).toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;
}

const secondsOf = (/** @type {MeasuredRun} */ { wallMs }) => wallMs / 1000;

/** The forms of the package: each has the goals of speed. */
const FORMS = ["ours", "native"];

/**
 * How long a form of the package takes in each round, against the engine and the fewest requests together.
 *
 * @param {readonly MeasuredRun[]} runs
 * @param {string} form
 * @param {string} operation
 * @param {number} size
 */
function ratiosToFloor(runs, form, operation, size) {
  const [floor, bare] = ["floor", "bare"].map((name) => figuresOf(runs, name, operation, size, secondsOf));
  return figuresOf(runs, form, operation, size, secondsOf)
    .map((value, round) => value / ((floor?.[round] ?? Number.NaN) + (bare?.[round] ?? 0)))
    .filter(Number.isFinite);
}

/** The requests of a run: `10 list + 2 look`. @param {MeasuredRun | undefined} run */
function countsOf(run) {
  const sent = Object.entries(run?.requests ?? {}).filter(([, count]) => count > 0);
  return sent.map(([kind, count]) => `${count} ${kind}`).join(" + ") || "0";
}

/** The rows of one size's table. @param {readonly MeasuredRun[]} runs @param {number} size */
function rowsOf(runs, size) {
  return OPERATIONS.map(({ name, title }) => [
    title,
    ...CANDIDATES.map((candidate) =>
      medianAndRange(figuresOf(runs, candidate.name, name, size, secondsOf), 1),
    ),
    ...FORMS.map((form) => medianAndRange(ratiosToFloor(runs, form, name, size), 2)),
    countsOf(runs.find((run) => run.candidate === "ours" && run.operation === name && run.size === size)),
  ]);
}

/**
 * How each operation of a form compares with the engine and the fewest requests together, by the two digits that the page shows;
 * without what was not measured, as after a run that was stopped.
 *
 * @param {readonly MeasuredRun[]} runs
 */
function comparisons(runs) {
  return sizesOf(runs)
    .flatMap((size) => OPERATIONS.flatMap((operation) => FORMS.map((form) => ({ size, operation, form }))))
    .map((compared) => {
      const { size, operation, form } = compared;
      return {
        ...compared,
        ratio: Number(median(ratiosToFloor(runs, form, operation.name, size)).toFixed(2)),
      };
    })
    .filter(({ ratio }) => Number.isFinite(ratio));
}

/** @typedef {ReturnType<typeof comparisons>[number]} Comparison */

/** The rows that take longer than the engine and the fewest requests, and what their processor time is spent on. @param {readonly MeasuredRun[]} runs @param {readonly Comparison[]} compared */
function slowerRows(runs, compared) {
  return compared
    .filter(({ ratio }) => ratio > 1)
    .map(({ size, operation: { name, title }, form, ratio }) => {
      const seconds = PARTS.map((part) =>
        [form, "floor"]
          .map((candidate) => figuresOf(runs, candidate, name, size, ({ cpuMs }) => cpuMs[part] / 1000))
          .map((values) => median(values).toFixed(2))
          .join(" / "),
      );
      return [title, size.toLocaleString("en"), form, ratio.toFixed(2), ...seconds];
    });
}

/** A goal is met if the median of its rounds meets it. One of which nothing was measured has no row. @param {readonly MeasuredRun[]} runs @param {readonly Comparison[]} compared */
function goals(runs, compared) {
  const largest = sizesOf(runs).at(-1) ?? 0;
  /** @type {(readonly [what: string, goal: string, measured: string, verdict: string])[]} */
  const rows = [];
  /**
   * @param {string} what
   * @param {string} goal
   * @param {readonly number[]} figures what was measured of it
   * @param {() => readonly [measured: string, isMet: boolean]} judge
   */
  const row = (what, goal, figures, judge) => {
    if (figures.length === 0 || !figures.every(Number.isFinite)) return;
    const [measured, isMet] = judge();
    rows.push([what, goal, measured, isMet ? "met" : "**missed**"]);
  };

  // Against the engine and the fewest requests together.
  /** @param {string} what @param {number} goal @param {(comparison: Comparison) => boolean} counts */
  const within = (what, goal, counts) => {
    const ratios = compared.filter(counts).map(({ ratio }) => ratio);
    const met = ratios.filter((ratio) => ratio <= goal).length;
    row(`${what}, ours and native`, `at most ${goal.toFixed(2)} × (floor + bare)`, ratios, () => [
      `${met} of ${ratios.length}, the most ${Math.max(...ratios).toFixed(2)}`,
      met === ratios.length,
    ]);
  };
  within("time of every operation", 1, ({ operation }) => operation.slow === undefined);
  within(
    `\`up\`, change and \`destroy\` of ${largest}`,
    0.85,
    ({ size, operation }) => size === largest && operation.write !== undefined,
  );
  within(
    `\`refresh\` of ${largest}, 100 ms away`,
    1.05,
    ({ size, operation }) => size === largest && operation.slow === "far",
  );

  // Against the naive provider, and against the clock.
  const ours = figuresOf(runs, "ours", "up", largest, secondsOf);
  const faster = figuresOf(runs, "naive", "up", largest, secondsOf).map(
    (value, at) => value / (ours[at] ?? Number.NaN),
  );
  row(`\`up\` of ${largest}`, "at least 3 × faster than naive", faster, () => [
    `${medianAndRange(faster, 2)} ×`,
    median(faster) >= 3,
  ]);
  const paced = figuresOf(runs, "ours", "paced", largest, secondsOf);
  row("`refresh`, 60 requests a minute", "under 15 s", paced, () => [
    `${medianAndRange(paced, 1)} s`,
    median(paced) < 15,
  ]);

  // Memory and state.
  /** @param {readonly string[]} names @param {(run: MeasuredRun) => number} figure */
  const ofUp = (names, figure) =>
    names.map((name) => ({ name, value: Math.round(median(figuresOf(runs, name, "up", largest, figure))) }));
  /** @param {ReturnType<typeof ofUp>} figures @param {string} unit */
  const listed = (figures, unit) => figures.map(({ name, value }) => `${name} ${value}${unit}`).join(", ");
  const valuesOf = (/** @type {ReturnType<typeof ofUp>} */ figures) => figures.map(({ value }) => value);
  const memory = ofUp([...FORMS, "floor"], ({ peakBytes }) => peakBytes / 1e6);
  const [oursPeak = 0, , floorPeak = 0] = valuesOf(memory);
  row("peak memory, `up`", "at most 1.5 × the floor's", valuesOf(memory), () => [
    listed(memory, " MB"),
    oursPeak <= 1.5 * floorPeak,
  ]);
  const state = ofUp([...FORMS, "floor", "naive"], ({ stateBytes = Number.NaN }) => stateBytes);
  row("state of a website", "at most 1,300 bytes", valuesOf(state), () => [
    listed(state, ""),
    valuesOf(state.slice(0, FORMS.length)).every((bytes) => bytes <= 1300),
  ]);
  return rows;
}

/** A table in Markdown. @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
function table(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The text of bench/performance.md. @param {Report} report @param {string} command */
export function page(report, command) {
  const names = CANDIDATES.map(({ name }) => name);
  const ratios = FORMS.map((form) => `${form} / (floor + bare)`);
  const head = ["seconds", ...names, ...ratios, "requests of ours"];
  const compared = comparisons(report.runs);
  const slower = slowerRows(report.runs, compared);
  return `${[
    "# Performance",
    `\`${command}\` writes this page. One run measured everything through the real engine, with the service on the same machine in a process of its own; one that is 100 ms away answers each request so much later. The candidates took turns at each operation. Each figure is the median of its rounds, with the least and the most in brackets. Absolute times depend on the machine, ratios less, and counts are exact.`,
    table(["what", "goal", "measured", ""], goals(report.runs, compared)),
    CANDIDATES.map(({ name, description }) => `- **${name}**: ${description}`).join("\n"),
    ...sizesOf(report.runs).flatMap((size) => [
      `## ${size.toLocaleString("en")} websites`,
      table(head, rowsOf(report.runs, size)),
    ]),
    ...(slower.length === 0
      ? []
      : [
          "## Where the time of the slower rows goes",
          `Seconds of processor time that each row above 1.00 took, and beside it the floor's: in the engine, in the program with its language host, and in the provider. Each part is looked at 20 times a second, so what it does after the last time is missing. Of the provider of ours, loading \`got\` takes ${(median(report.gotMs) / 1000).toFixed(2)}; the floor's loads none.`,
          table(["what", "websites", "form", "/ (floor + bare)", ...PARTS], slower),
        ]),
    "Time runs from the start of the command to its end. In requests, `list` reads one page of a list and `look` one record.",
    table(["measured on", ""], report.machine),
  ].join("\n\n")}\n`;
}

/** The most that an operation may take for each record at the largest size, over what it takes at the smallest. */
const MAX_GROWTH = 1.3;

/**
 * The part of bench/performance.md on growth, without its heading.
 *
 * @param {readonly import("./growth.js").GrowthRun[]} runs
 * @param {Pick<Report, "machine">} report
 * @param {string} command
 */
export function growthPage(runs, { machine }, command) {
  const sizes = [...new Set(runs.map(({ size }) => size))];
  const rows = [...new Set(runs.map(({ operation }) => operation))].map((name) => {
    const runsAt = (/** @type {number | undefined} */ size) =>
      runs.filter((run) => run.operation === name && run.size === size);
    const cpuAt = (/** @type {number | undefined} */ size) => median(runsAt(size).map(({ cpuMs }) => cpuMs));
    const ratio = cpuAt(sizes.at(-1)) / cpuAt(sizes[0]);
    const requests = median(runsAt(sizes.at(-1)).map((run) => run.requests));
    const verdict = `${ratio.toFixed(2)}${ratio <= MAX_GROWTH ? "" : " **missed**"}`;
    return [name, ...sizes.map((size) => cpuAt(size).toFixed(3)), verdict, requests.toFixed(2)];
  });
  const head = ["operation", ...sizes.map((size) => size.toLocaleString("en")), "growth", "requests"];
  return `${[
    `\`${command}\` measures this part: milliseconds of processor time that each record takes in the process of the provider or the command, by the number of records, without the engine and the service. Each figure is the median of its rounds. \`growth\` is the largest size over the smallest, and at most ${MAX_GROWTH}; \`requests\` are those for each record at the largest size. A look-up waits for the service's search, which takes longer among more records, and waiting takes time of the processor too.`,
    table(head, rows),
    table(["measured on", ""], machine),
  ].join("\n\n")}\n`;
}
