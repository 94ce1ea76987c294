import { expect, it } from "vitest";
import { STEP, stepIn } from "../../../tools/picture/step.mjs";
import { draw, type Line } from "../../../tools/picture/svg.mjs";

const plain = (text: string): Line =>
  text === "" ? [] : [{ text, colour: undefined, bold: false, dim: false }];

it("draws a terminal's line as text with its colours and weights, and escapes markup", () => {
  const [, text] = />(.*)<\/text>/.exec(
    draw([[{ text: "+ <b>", colour: 2, bold: true, dim: false }, ...plain(" & more")]], "a title"),
  ) ?? ["", ""];
  expect(text).toBe('<tspan class="bold" style="fill:#56d364">+ &lt;b&gt;</tspan> &amp; more');
});

it("is as wide as its longest line and as high as there are lines", () => {
  const size = (lines: Line[]) =>
    /viewBox="0 0 (\d+) (\d+)"/.exec(draw(lines, ""))?.slice(1).map(Number) ?? [];
  const [width = 0, height = 0] = size([plain("one")]);
  const [wider = 0, higher = 0] = size([plain("one"), plain("a longer one")]);
  expect([wider > width, higher > height]).toEqual([true, true]);
});

it("extracts one step from the demo's output", () => {
  const lines = ["before", `━━ 5 of 15: ${STEP}`, "one", "", "two", "", "━━ 6 of 15: Another", "three"];
  expect(stepIn(lines.map(plain))).toEqual([`━━ 5 of 15: ${STEP}`, "one", "", "two"].map(plain));
  expect(() => stepIn([plain("nothing")])).toThrow(STEP);
});
