/**
 * @typedef {object} Line
 * @property {string} name
 * @property {string} colour
 * @property {readonly (readonly [number, number])[]} points
 *
 * @typedef {object} Panel a diagram with both axes logarithmic
 * @property {string} title
 * @property {string} unit
 * @property {readonly Line[]} lines
 */

const [WIDTH, HEIGHT] = [380, 300];
const FRAME = { left: 56, right: 64, top: 48, bottom: 44 };
const [INK, FAINT, PAPER] = ["#24292f", "#d0d7de", "#ffffff"];

/** One colour each, dark enough for white paper. */
export const COLOURS = { ours: "#0a58ca", naive: "#b35900", floor: "#57606a", bare: "#116329" };

/** What the picture shows. @param {import("./figures.mjs").Figures} figures */
export function panelsOf(figures) {
  return [
    panel(figures, "Time of up, everything new", "s", ({ wallMs }) => wallMs / 1000, "up"),
    panel(
      figures,
      "Requests of refresh",
      "requests",
      ({ requests }) => Object.values(requests).reduce((sum, each) => sum + each, 0),
      "refresh",
    ),
  ];
}

/**
 * The panels side by side on a white background, so that they are readable on a light page and on a dark one.
 *
 * @param {readonly Panel[]} panels
 */
export function plot(panels) {
  const width = WIDTH * panels.length;
  const drawn = panels.map((each, at) => `<g transform="translate(${at * WIDTH} 0)">\n${draw(each)}\n</g>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}" role="img" font-family="sans-serif" font-size="12" fill="${INK}">
<title>${panels.map(({ title }) => title).join("; ")}, over the number of websites</title>
<rect width="${width}" height="${HEIGHT}" rx="8" fill="${PAPER}"/>
${drawn.join("\n")}
</svg>
`;
}

/**
 * @param {import("./figures.mjs").Figures} figures
 * @param {string} title
 * @param {string} unit
 * @param {(figure: import("./figures.mjs").Figure) => number} value
 * @param {string} operation
 * @returns {Panel}
 */
function panel(figures, title, unit, value, operation) {
  const lines = Object.entries(COLOURS).map(([name, colour]) => ({
    name,
    colour,
    points: figures.sizes.flatMap((size) => {
      const figure = figures.at(name, size, operation);
      // A logarithmic axis has no place for 0.
      return figure === undefined || value(figure) === 0
        ? []
        : [/** @type {const} */ ([size, value(figure)])];
    }),
  }));
  return { title, unit, lines: lines.filter(({ points }) => points.length > 0) };
}

/** @param {Panel} panel */
function draw({ title, unit, lines }) {
  const points = lines.flatMap((line) => line.points);
  const xs = scale(
    points.map(([x]) => x),
    FRAME.left,
    WIDTH - FRAME.right,
  );
  const ys = scale(
    points.map(([, y]) => y),
    HEIGHT - FRAME.bottom,
    FRAME.top,
  );
  const vertical = xs.ticks.map(
    (tick) =>
      `<text x="${xs.at(tick)}" y="${HEIGHT - FRAME.bottom + 16}" text-anchor="middle">${tick.toLocaleString("en")}</text>`,
  );
  const horizontal = ys.ticks.map((tick) => {
    const y = ys.at(tick);
    return `<path d="M${FRAME.left} ${y}H${WIDTH - FRAME.right}" stroke="${FAINT}"/><text x="${FRAME.left - 6}" y="${y + 4}" text-anchor="end">${tick.toLocaleString("en")}</text>`;
  });
  return [
    `<text x="${FRAME.left}" y="20" font-weight="bold">${title}</text>`,
    `<text x="${FRAME.left}" y="36">${unit}</text>`,
    `<text x="${(FRAME.left + WIDTH - FRAME.right) / 2}" y="${HEIGHT - 10}" text-anchor="middle">websites</text>`,
    ...horizontal,
    ...vertical,
    ...labelled(lines, ys).map(({ line, y }) => curve(line, xs, ys, y)),
  ].join("\n");
}

/**
 * @param {Line} line
 * @param {Scale} xs
 * @param {Scale} ys
 * @param {number} labelY
 */
function curve({ name, colour, points }, xs, ys, labelY) {
  const places = points.map(([x, y]) => `${xs.at(x)} ${ys.at(y)}`);
  const dots = places.map((place) => `<circle cx="${place.replace(" ", '" cy="')}" r="3" fill="${colour}"/>`);
  const end = xs.at(points.at(-1)?.[0] ?? 1) + 8;
  return `<path d="M${places.join("L")}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join("")}<text x="${end}" y="${labelY}" fill="${colour}">${name}</text>`;
}

/**
 * A label is at the end of its line, unless another one is already there.
 *
 * @param {readonly Line[]} lines
 * @param {Scale} ys
 */
function labelled(lines, ys) {
  const ends = lines.map((line) => ({ line, y: ys.at(line.points.at(-1)?.[1] ?? 1) + 4 }));
  let free = Number.NEGATIVE_INFINITY;
  return ends
    .sort((one, other) => one.y - other.y)
    .map(({ line, y }) => {
      free = Math.max(y, free + 14);
      return { line, y: free };
    });
}

/** @typedef {ReturnType<typeof scale>} Scale */

/**
 * @param {readonly number[]} values all above 0
 * @param {number} from where the least decade stands
 * @param {number} to
 */
function scale(values, from, to) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  const at = /** @param {number} value */ (value) =>
    Math.round((from + ((Math.log10(value) - low) / (high - low)) * (to - from)) * 10) / 10;
  return { at, ticks: Array.from({ length: high - low + 1 }, (_, step) => 10 ** (low + step)) };
}
