import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { run } from "./child.mjs";
import { ensurePackages } from "./packages.mjs";
import { ROOT } from "./root.mjs";
import { runIfMain } from "./run-if-main.mjs";

/** The step of the demo that the picture shows. */
const STEP = "Change the program";
const COLUMN = 8.43;
const ROW = 19;
const MARGIN = 16;

/** By the code that a terminal is sent; what has none here has the default colour. */
const COLOURS = new Map([
  ...["#ff7b72", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#76e3ea"].map(
    (fill, at) => /** @type {const} */ ([31 + at, fill]),
  ),
  ...["#ffa198", "#7ee787", "#f2cc60", "#a5d6ff", "#d2a8ff", "#b3f0ff"].map(
    (fill, at) => /** @type {const} */ ([91 + at, fill]),
  ),
]);

/** Draws the picture in the README from a real run of the demo. */
async function picture() {
  await ensurePackages();
  console.log("Playing the demo …");
  const script = join(ROOT, "tools", "demo.mjs");
  const { stdout } = await run(process.execPath, [script], {
    cwd: ROOT,
    env: { ...process.env, FORCE_COLOR: "1" },
  });
  const steps = stdout.split(/^(?=.*━━ )/m);
  const step = steps.find((text) => text.split("\n", 1)[0]?.includes(STEP));
  if (step === undefined) throw new Error(`The demo has no step "${STEP}".`);
  await writeFile(join(ROOT, "docs", "demo.svg"), draw(step.trimEnd().split("\n")));
  console.log("docs/demo.svg is written.");
}

/** @param {readonly string[]} lines with a terminal's codes for colours */
function draw(lines) {
  const rows = lines.map((line, at) => {
    const plain = stripVTControlCharacters(line);
    return { at, columns: plain.length, text: colour(line) };
  });
  const width = Math.ceil(Math.max(...rows.map(({ columns }) => columns)) * COLUMN + 2 * MARGIN);
  const height = lines.length * ROW + 2 * MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>npm run demo: ${STEP.toLowerCase()}</title>`,
    "<style>text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #e6edf3; white-space: pre }</style>",
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    ...rows.map(({ at, text }) => `<text x="${MARGIN}" y="${MARGIN + ROW * (at + 0.75)}">${text}</text>`),
    "</svg>\n",
  ].join("\n");
}

/**
 * A line with its colours and weights, as SVG.
 *
 * @param {string} line
 */
function colour(line) {
  let [style, text] = ["", ""];
  for (const part of line.split(String.fromCharCode(27))) {
    const [, codes, words = part] = /^\[([\d;]*)m(.*)$/.exec(part) ?? [];
    for (const code of codes?.split(";").map(Number) ?? []) {
      if (code === 0 || code === 39) style = "";
      if (code === 1) style += "font-weight:700;";
      if (code === 2) style += "fill:#8b949e;";
      if (COLOURS.has(code)) style += `fill:${COLOURS.get(code)};`;
    }
    const escaped = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    if (escaped !== "") text += style === "" ? escaped : `<tspan style="${style}">${escaped}</tspan>`;
  }
  return text;
}

const USAGE = `npm run picture

Plays the demo and draws its step "${STEP}" to docs/demo.svg, the picture in the README. Some minutes.`;

await runIfMain(import.meta.url, picture, USAGE);
