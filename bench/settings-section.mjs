import { seconds, share, table, thousands, volume } from "./cells.mjs";
import { SETTINGS } from "./engine-settings.mjs";
import { Figures } from "./figures.mjs";

/**
 * The document's section on the engine's own settings; none where they were not measured.
 *
 * @param {readonly import("./measure.mjs").MeasuredRun[]} runs
 */
export function settingsSection(runs) {
  const [first] = runs;
  if (first === undefined) return [];
  const figures = new Figures(runs);
  /** @param {string} name */
  const at = (name) => figures.at("ours", first.size, name);
  const base = at(first.operation);
  const rows = SETTINGS.flatMap(({ name }) => {
    const figure = at(name);
    if (figure === undefined) return [];
    const { wallMs, wall, cpuMs, writtenBytes } = figure;
    const time = `${share(wallMs, base?.wallMs)}, ${seconds(wall.least)} to ${seconds(wall.most)}`;
    return [[name, time, share(cpuMs, base?.cpuMs), volume(writtenBytes)]];
  });
  return [
    "## Settings of the engine",
    `\`up\` of ${thousands(first.size)} new websites by ours, and its ratio to the run with nothing set, the median of ${base?.rounds} rounds. The guide says what each costs.`,
    table(["", "time", "processor time", "written by the engine"], rows),
  ];
}
