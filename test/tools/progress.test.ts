import { expect, it } from "vitest";
import { progress } from "../../tools/progress.mjs";

it.each([
  [0, 10, 0, "1 of 10"],
  [1, 10, 59_999, "2 of 10"],
  [1, 10, 60_000, "2 of 10, after 1 min"],
  [9, 10, 3_599_999, "10 of 10, after 59 min"],
  [9, 10, 5_400_000, "10 of 10, after 1 h 30 min"],
])("step %i of %i after %i ms is told as it is", (step, steps, milliseconds, told) => {
  expect(progress(step, steps, milliseconds)).toBe(told);
});
