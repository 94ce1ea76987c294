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

/** The rows that take longer than the engine and the fewest requests, and what their processor time is spent on. @param {readonly MeasuredRun[]} runs */
function slowerRows(runs) {
  return sizesOf(runs).flatMap((size) =>
    OPERATIONS.flatMap(({ name, title }) =>
      FORMS.flatMap((form) => {
        const ratio = median(ratiosToFloor(runs, form, name, size));
        if (!(ratio > 1)) return [];
        const seconds = PARTS.map((part) =>
          [form, "floor"]
            .map((candidate) => figuresOf(runs, candidate, name, size, ({ cpuMs }) => cpuMs[part] / 1000))
            .map((values) => median(values).toFixed(2))
            .join(" / "),
        );
        return [[title, size.toLocaleString("en"), form, ratio.toFixed(2), ...seconds]];
      }),
    ),
  );
}

/** A goal is met if the median of its rounds meets it. @param {Report} report */
function goals({ runs }) {
  const largest = sizesOf(runs).at(-1) ?? 0;

  // Against the engine and the fewest requests together.
  /** @param {readonly number[]} sizes @param {readonly { name: string }[]} operations @param {number} goal */
  const within = (sizes, operations, goal) => {
    const ratios = sizes
      .flatMap((size) => operations.map(({ name }) => ({ name, size })))
      .flatMap(({ name, size }) => FORMS.map((form) => median(ratiosToFloor(runs, form, name, size))))
      .filter(Number.isFinite);
    const met = ratios.filter((ratio) => ratio <= goal).length;
    return /** @type {const} */ ([
      `at most ${goal.toFixed(2)} × (floor + bare)`,
      `${met} of ${ratios.length}, the most ${Math.max(...ratios).toFixed(2)}`,
      met === ratios.length,
    ]);
  };
  const near = OPERATIONS.filter(({ slow }) => slow === undefined);
  const [goal, share, isWithin] = within(sizesOf(runs), near, 1);
  const far = OPERATIONS.filter(({ slow }) => slow === "far");
  const [farGoal, farShare, farIsWithin] = within([largest], far, 1.05);
  const writing = OPERATIONS.filter(({ write }) => write !== undefined);
  const [largeGoal, largeShare, largeIsWithin] = within([largest], writing, 0.85);

  // Against the naive provider, and against the clock.
  const ours = figuresOf(runs, "ours", "up", largest, secondsOf);
  const faster = figuresOf(runs, "naive", "up", largest, secondsOf).map(
    (value, at) => value / (ours[at] ?? Number.NaN),
  );
  const paced = figuresOf(runs, "ours", "paced", largest, secondsOf);

  // Memory and state.
  const peakOf = (/** @type {string} */ name) =>
    median(figuresOf(runs, name, "up", largest, ({ peakBytes }) => peakBytes / 1e6));
  const memory = [...FORMS, "floor"].map((name) => `${name} ${peakOf(name).toFixed(0)} MB`);
  const stateOf = (/** @type {string} */ name) =>
    Math.round(median(figuresOf(runs, name, "up", largest, ({ stateBytes = Number.NaN }) => stateBytes)));

  /** @type {[string, string, string, boolean][]} */
  const rows = [
    ["time of every operation, ours and native", goal, share, isWithin],
    [`\`up\`, change and \`destroy\` of ${largest}, ours and native`, largeGoal, largeShare, largeIsWithin],
    [`\`refresh\` of ${largest}, 100 ms away, ours and native`, farGoal, farShare, farIsWithin],
    [
      `\`up\` of ${largest}`,
      "at least 3 × faster than naive",
      `${medianAndRange(faster, 2)} ×`,
      median(faster) >= 3,
    ],
    [`\`refresh\`, 60 requests a minute`, "under 15 s", `${medianAndRange(paced, 1)} s`, median(paced) < 15],
    [
      "peak memory, `up`",
      "at most 1.5 × the floor's",
      memory.join(", "),
      peakOf("ours") <= 1.5 * peakOf("floor"),
    ],
    [
      "state of a website",
      "at most 1,300 bytes",
      [...FORMS, "floor", "naive"].map((name) => `${name} ${stateOf(name)}`).join(", "),
      stateOf("ours") <= 1300 && stateOf("native") <= 1300,
    ],
  ];
  // What a run that was stopped early has not measured.
  return rows
    .filter(([, , measured]) => !/NaN|–|Infinity/.test(measured))
    .map(([what, goal, measured, met]) => [what, goal, measured, met ? "met" : "**missed**"]);
}

/** A table in Markdown. @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
function table(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The text of docs/performance.md. @param {Report} report @param {string} command */
export function page(report, command) {
  const names = CANDIDATES.map(({ name }) => name);
  const ratios = FORMS.map((form) => `${form} / (floor + bare)`);
  const head = ["seconds", ...names, ...ratios, "requests of ours"];
  return `${[
    "# Performance",
    `\`${command}\` writes this page. One run measured everything through the real engine, with the service on the same machine in a process of its own; one that is 100 ms away answers each request so much later. The candidates took turns at each operation. Each figure is the median of its rounds, with the least and the most in brackets. Absolute times depend on the machine, ratios less, and counts are exact.`,
    table(["what", "goal", "measured", ""], goals(report)),
    CANDIDATES.map(({ name, description }) => `- **${name}**: ${description}`).join("\n"),
    ...sizesOf(report.runs).flatMap((size) => [
      `## ${size.toLocaleString("en")} websites`,
      table(head, rowsOf(report.runs, size)),
    ]),
    "## Where the time of the slower rows goes",
    `Seconds of processor time that each row above 1.00 took, and beside it the floor's: in the engine, in the program with its language host, and in the provider. Each part is looked at 20 times a second, so what it does after the last time is missing. Of the provider of ours, loading \`got\` takes ${(median(report.gotMs) / 1000).toFixed(2)}; the floor's loads none.`,
    table(["what", "websites", "form", "/ (floor + bare)", ...PARTS], slowerRows(report.runs)),
    "Time runs from the start of the command to its end. In requests, `list` reads one page of a list and `look` one record.",
    table(["measured on", ""], report.machine),
  ].join("\n\n")}\n`;
}

/** The most that an operation may take for each record at the largest size, over what it takes at the smallest. */
const MAX_GROWTH = 1.3;

/**
 * The part of docs/performance.md on growth, without its heading.
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
