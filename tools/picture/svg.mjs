/**
 * @typedef {object} Run characters with one style
 * @property {string} text
 * @property {number | undefined} colour in the terminal's palette; by default its default one
 * @property {boolean} bold
 * @property {boolean} dim
 *
 * @typedef {Run[]} Line
 */

const COLUMN = 8.43;
const ROW = 19;
const MARGIN = 16;
const BAR = 28;

/** The colours of a dark terminal, by their index in the palette; others have the default colour. */
const PALETTE = new Map([
  [1, "#ff7b72"],
  [2, "#56d364"],
  [3, "#e3b341"],
  [4, "#79c0ff"],
  [5, "#d2a8ff"],
  [6, "#76e3ea"],
  [9, "#ffa198"],
  [10, "#7ee787"],
  [11, "#f2cc60"],
  [12, "#a5d6ff"],
  [13, "#d2a8ff"],
  [14, "#b3f0ff"],
]);

/**
 * A terminal window with these lines, as a self-contained SVG.
 *
 * @param {readonly Line[]} lines
 * @param {string} title
 */
export function draw(lines, title) {
  const columns = Math.max(...lines.map((line) => line.reduce((sum, { text }) => sum + text.length, 0)));
  const width = Math.ceil(columns * COLUMN + 2 * MARGIN);
  const height = Math.ceil(lines.length * ROW + 2 * MARGIN + BAR);
  const rows = lines.map((line, at) => {
    const y = BAR + MARGIN + ROW * (at + 0.75);
    return `<text x="${MARGIN}" y="${y}">${line.map(span).join("")}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    "<style>text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #e6edf3; white-space: pre } .bold { font-weight: 700 } .dim { fill: #8b949e }</style>",
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    ...["#ff5f57", "#febc2e", "#28c840"].map(
      (fill, at) => `<circle cx="${MARGIN + 4 + 18 * at}" cy="${BAR / 2 + 4}" r="5.5" fill="${fill}"/>`,
    ),
    ...rows,
    "</svg>",
    "",
  ].join("\n");
}

/** @param {Run} run */
function span({ text, colour, bold, dim }) {
  const looks = [bold && "bold", dim && "dim"].filter(Boolean).join(" ");
  const fill = colour === undefined ? undefined : PALETTE.get(colour);
  // The page's rule for all text would win over a plain attribute.
  const style = `${looks && ` class="${looks}"`}${fill === undefined ? "" : ` style="fill:${fill}"`}`;
  return style === "" ? escaped(text) : `<tspan${style}>${escaped(text)}</tspan>`;
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
