import { expect, it } from "vitest";
import { Figures } from "../../bench/figures.mjs";
import { COLOURS, panelsOf, plot } from "../../bench/plot.mjs";
import { ran, sent } from "./runs";

const runs = [10, 100, 1000].flatMap((size) =>
  Object.keys(COLOURS).flatMap((candidate) =>
    ["up", "refresh"].map((operation) =>
      ran({
        candidate,
        size,
        operation,
        wallMs: size * 50,
        requests: sent({ look: candidate === "floor" ? 0 : size }),
      }),
    ),
  ),
);
const picture = plot(panelsOf(new Figures(runs)));

/** The values of one attribute of all elements with this name. */
function numbers(pattern: RegExp): number[] {
  return [...picture.matchAll(pattern)].map(([, value]) => Number(value));
}

/** The contrast ratio of two colours, as the web's accessibility rules define it. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [one, other].map(luminance).sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

it("has its own background, and colours that are readable on it", () => {
  expect(picture).toMatch(/<rect width="\d+" height="\d+" rx="\d+" fill="#ffffff"\/>/);
  for (const colour of Object.values(COLOURS)) expect(contrast(colour, "#ffffff")).toBeGreaterThan(4.5);
});

it("is a well-formed document", () => {
  const opened = picture.match(/<[a-z]+[^>]*[^/]>/g)?.length;
  expect(picture.match(/<\/[a-z]+>/g)?.length).toBe(opened);
  expect(picture.match(/<svg /g)).toHaveLength(1);
});

it("has numeric coordinates only", () => {
  expect(picture).not.toMatch(/NaN|Infinity|undefined/);
});

it("draws larger values further right and higher, on a logarithmic scale", () => {
  const [x1 = 0, x2 = 0, x3 = 0] = numbers(/<circle cx="([\d.]+)"/g);
  const [y1 = 0, y2 = 0, y3 = 0] = numbers(/<circle cx="[\d.]+" cy="([\d.]+)"/g);
  expect(x2 - x1).toBeCloseTo(x3 - x2, 0);
  expect(y1 - y2).toBeCloseTo(y2 - y3, 0);
  expect(x2).toBeGreaterThan(x1);
  expect(y2).toBeLessThan(y1);
});

it("leaves candidates without values out of a diagram", () => {
  const [time, requests] = panelsOf(new Figures(runs));
  expect(time?.lines.map(({ name }) => name)).toContain("floor");
  expect(requests?.lines.map(({ name }) => name)).not.toContain("floor");
});

it("can be drawn for a single size", () => {
  const [run = ran()] = runs;
  expect(plot(panelsOf(new Figures([run])))).not.toMatch(/NaN|Infinity/);
});

it("draws no label on another", () => {
  const places = [...picture.matchAll(/<text x="[\d.]+" y="([\d.]+)" fill="(#\w+)">/g)].map(([, y]) =>
    Number(y),
  );
  const first = places.slice(0, 4).sort((one, other) => one - other);
  for (const [at, place] of first.slice(1).entries())
    expect(place - (first[at] ?? 0)).toBeGreaterThanOrEqual(12);
});
