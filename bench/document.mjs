import { CANDIDATES } from "./candidates.mjs";
import { NONE, seconds, share, table, thousands, volume } from "./cells.mjs";
import { GOALS } from "./goals.mjs";
import { OPERATIONS } from "./operations.mjs";
import { inShort } from "./requests.mjs";
import { settingsSection } from "./settings-section.mjs";

/**
 * @typedef {object} Circumstances
 * @property {readonly (readonly [string, string])[]} machine
 * @property {string} command
 */

/**
 * The text of docs/performance.md.
 *
 * @param {import("./goals.mjs").Report} report
 * @param {Circumstances} circumstances
 */
export function documentOf(report, { machine, command }) {
  const { figures } = report;
  return [
    "# Performance",
    `\`${command}\` writes this page; edits by hand are lost. One run measured everything through the real engine, with the service on the same machine in a separate process. The candidates took turns at each operation; each figure is the median of its rounds (${figures.sizes.map((size) => `${figures.roundsAt(size)} at ${thousands(size)}`).join(", ")}), and the least and most stand behind it. A goal that some rounds meet and others miss is not decidable on this machine; neither is one of fewer than three rounds. Absolute times depend on the machine; ratios depend less on it, and counts are exact.`,
    "![Time of up and requests of refresh over the number of websites](performance.svg)",
    "## Goals",
    table(
      ["what", "goal", "measured", ""],
      GOALS.map((goal) => goalRow(goal, report)),
    ),
    "## Candidates",
    table(
      ["", "what it is"],
      CANDIDATES.map(({ name, description }) => [
        name,
        figures.candidates.includes(name) ? description : `${description} (left out of this run)`,
      ]),
    ),
    ...figures.sizes.flatMap((size) => sizeSection(figures, size)),
    ...settingsSection(report.settings ?? []),
    "## State",
    table(
      ["websites", ...figures.candidates.map((name) => `${name}, bytes each`)],
      figures.sizes.map((size) => [
        thousands(size),
        ...figures.candidates.map((name) => stateCell(report, name, size)),
      ]),
    ),
    "## How it was measured",
    "Time runs from the start of the command to its end. Processor time is the user and system time of the engine and of every process that it starts. Memory is the peak of the provider's process (for bare, its only one). Both are read from `/proc` every 50 ms. Bytes written are what the engine's process writes to files. A list that is two minutes old is read again, so an operation that takes longer may read its pages twice. State is the size of a resource in `pulumi stack export`, without white space. A machine without `/proc` leaves these figures out.",
    table(["", ""], machine),
  ]
    .join("\n\n")
    .concat("\n");
}

/**
 * @param {import("./goals.mjs").Goal} goal
 * @param {import("./goals.mjs").Report} report
 */
function goalRow({ what, goal, judge }, report) {
  const outcome = judge(report);
  if (outcome === undefined) return [what, goal, "not measured", ""];
  const { measured, met } = outcome;
  if (met === undefined) return [what, goal, measured, "not decidable"];
  return [what, goal, measured, met ? "met" : "**missed**"];
}

/**
 * @param {import("./figures.mjs").Figures} figures
 * @param {number} size
 */
function sizeSection(figures, size) {
  const names = figures.candidates;
  /** @param {(figure: import("./figures.mjs").Figure, base: import("./figures.mjs").Figure | undefined) => string} cell */
  const rows = (cell) =>
    OPERATIONS.map(({ name, title }) => [
      title,
      ...names.map((each) => {
        const figure = figures.at(each, size, name);
        return figure === undefined ? NONE : cell(figure, figures.at("floor", size, name));
      }),
    ]);
  return [
    `## ${thousands(size)} websites`,
    "Time, and its ratio to the floor's:",
    table(
      ["", ...names],
      rows(
        ({ wallMs, wall, rounds }, floor) =>
          `${share(wallMs, floor?.wallMs)}${rounds > 1 ? `, ${seconds(wall.least)} to ${seconds(wall.most)}` : ""}`,
      ),
    ),
    "Processor time, and its ratio to the floor's:",
    table(
      ["", ...names],
      rows((figure, floor) => share(figure.cpuMs, floor?.cpuMs)),
    ),
    "Requests (`list` reads one page of a list, `look` one record):",
    table(
      ["", ...names],
      rows(({ requests }) => inShort(requests)),
    ),
    "Peak memory of the provider's process, and bytes written by the engine:",
    table(
      ["", ...names],
      rows(({ peakBytes, writtenBytes }) => `${volume(peakBytes)}, ${volume(writtenBytes)}`),
    ),
  ];
}

/**
 * @param {import("./goals.mjs").Report} report
 * @param {string} name
 * @param {number} size
 */
function stateCell({ states }, name, size) {
  const found = states.find((each) => each.candidate === name && each.size === size);
  return found === undefined ? NONE : thousands(found.state.bytes);
}
