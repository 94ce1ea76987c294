import { join } from "node:path";
import { ROOT } from "../root.mjs";

const SIZE = { cols: 100, rows: 50 };
const INTERRUPT = "\x03";

/**
 * Runs the demo in a pseudo-terminal until a step is over, and returns what a person then sees on the screen.
 *
 * @param {string} step its title
 * @returns {Promise<import("./svg.mjs").Line[]>}
 */
export async function record(step) {
  const { spawn } = await import("@lydell/node-pty");
  const { Terminal } = (await import("@xterm/headless")).default;
  const screen = new Terminal({ ...SIZE, scrollback: 10_000, allowProposedApi: true });
  const { NO_COLOR: _, ...env } = process.env;
  const demo = spawn(process.execPath, [join(ROOT, "tools", "demo.mjs")], {
    ...SIZE,
    cwd: ROOT,
    env: { ...env, TERM: "xterm-256color" },
  });
  let [printed, over] = ["", false];
  await new Promise((resolve) => {
    demo.onData((data) => {
      screen.write(data);
      printed += data;
      if (over || !isOver(printed, step)) return;
      over = true;
      demo.write(INTERRUPT);
    });
    demo.onExit(resolve);
  });
  if (!over) throw new Error(`The demo ended before "${step}" was over:\n${printed}`);
  await new Promise((resolve) => screen.write("", () => resolve(undefined)));
  return linesOf(screen);
}

/**
 * Whether the title of the next step has been printed.
 *
 * @param {string} printed
 * @param {string} step
 */
function isOver(printed, step) {
  const [, after] = printed.split(`: ${step}`);
  return after?.includes("━━ ") ?? false;
}

/**
 * @param {import("@xterm/headless").Terminal} screen
 * @returns {import("./svg.mjs").Line[]}
 */
function linesOf(screen) {
  const { active } = screen.buffer;
  return Array.from({ length: active.length }, (_, row) => runsOf(active.getLine(row)));
}

/**
 * The characters of a row, grouped by style.
 *
 * @param {import("@xterm/headless").IBufferLine | undefined} row
 * @returns {import("./svg.mjs").Line}
 */
function runsOf(row) {
  /** @type {import("./svg.mjs").Run[]} */
  const runs = [];
  const length = row?.translateToString(true).length ?? 0;
  for (let at = 0; at < length; at += 1) {
    const cell = row?.getCell(at);
    if (cell === undefined) continue;
    const look = {
      colour: cell.isFgPalette() ? cell.getFgColor() : undefined,
      bold: cell.isBold() !== 0,
      dim: cell.isDim() !== 0,
    };
    const text = cell.getChars() || " ";
    const last = runs.at(-1);
    if (last?.colour === look.colour && last?.bold === look.bold && last?.dim === look.dim) last.text += text;
    else runs.push({ text, ...look });
  }
  return runs;
}
