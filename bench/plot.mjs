import { median, rounds, sizesOf } from "./page.mjs";

const [WIDTH, HEIGHT] = [640, 320];
const FRAME = { left: 56, right: WIDTH - 64, top: 48, bottom: HEIGHT - 44 };

/** One colour each, dark enough for white paper. */
const COLOURS = { ours: "#0a58ca", native: "#8250df", naive: "#b35900", floor: "#57606a", bare: "#116329" };

/**
 * The time of `up` over the number of websites, both logarithmic; on white, so that it is readable on a dark page too.
 *
 * @param {readonly import("./measure.mjs").MeasuredRun[]} runs
 */
export function plot(runs) {
  const lines = Object.entries(COLOURS).map(([name, colour]) => ({
    name,
    colour,
    points: sizesOf(runs)
      .map((x) => ({ x, y: median(rounds(runs, name, "up", x, ({ wallMs }) => wallMs / 1000)) }))
      .filter(({ y }) => y > 0),
  }));
  const points = lines.flatMap((line) => line.points);
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [across, up] = [axis(xs, FRAME.left, FRAME.right), axis(ys, FRAME.bottom, FRAME.top)];
  // A label is at the end of its line, unless another one is already there.
  let free = 0;
  const curves = lines
    .map((line) => ({ ...line, places: line.points.map(({ x, y }) => [across.at(x), up.at(y)]) }))
    .filter(({ places }) => places.length > 0)
    .sort((one, other) => (one.places.at(-1)?.[1] ?? 0) - (other.places.at(-1)?.[1] ?? 0))
    .map(({ name, colour, places }) => {
      const [x = 0, y = 0] = places.at(-1) ?? [];
      free = Math.max(y + 4, free + 14);
      const path = places.map((place) => place.join(" ")).join("L");
      return `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"/>${text(x + 8, free, name, `fill="${colour}"`)}`;
    });
  const rows = up.ticks.map(
    ([tick, y]) =>
      `<path d="M${FRAME.left} ${y}H${FRAME.right}" stroke="#d0d7de"/>${text(FRAME.left - 6, y + 4, tick, 'text-anchor="end"')}`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" font-family="sans-serif" font-size="12" fill="#24292f">
<title>Time of up over the number of websites</title><rect width="${WIDTH}" height="${HEIGHT}" rx="8" fill="#ffffff"/>
${text(FRAME.left, 20, "Time of up, everything new, in seconds", 'font-weight="bold"')}
${text((FRAME.left + FRAME.right) / 2, HEIGHT - 10, "websites", 'text-anchor="middle"')}
${across.ticks.map(([tick, x]) => text(x, FRAME.bottom + 16, tick, 'text-anchor="middle"')).join("\n")}
${[...rows, ...curves].join("\n")}
</svg>
`;
}

/** @param {number} x @param {number} y @param {string | number} words @param {string} attributes */
function text(x, y, words, attributes) {
  return `<text x="${x}" y="${y}" ${attributes}>${words.toLocaleString("en")}</text>`;
}

/**
 * A logarithmic axis of whole decades.
 *
 * @param {readonly number[]} values all above 0
 * @param {number} from where the least decade stands
 * @param {number} to
 */
function axis(values, from, to) {
  const low = Math.floor(Math.log10(Math.min(...values, 1000)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values, 1))));
  const at = (/** @type {number} */ value) =>
    Math.round((from + ((Math.log10(value) - low) / (high - low)) * (to - from)) * 10) / 10;
  const ticks = Array.from({ length: high - low + 1 }, (_, step) => 10 ** (low + step));
  return { at, ticks: ticks.map((tick) => /** @type {const} */ ([tick, at(tick)])) };
}
