import { expect, test } from "vitest";
import { Budget } from "../../../provider/api/budget";

const times = (count: number) => Array.from({ length: count }, (_, at) => at);

test("a process has ten retries to begin with, and no more", () => {
  const budget = new Budget();
  expect(times(12).map(() => budget.spend())).toEqual([...times(10).map(() => true), false, false]);
});

test("five answered requests pay for one retry more, and no more than ten are saved up", () => {
  const budget = new Budget();
  for (const _ of times(10)) budget.spend();
  for (const _ of times(4)) budget.answered();
  expect(budget.spend()).toBe(false);
  budget.answered();
  budget.answered();
  expect(budget.spend()).toBe(true);
  for (const _ of times(1000)) budget.answered();
  expect(times(12).filter(() => budget.spend())).toHaveLength(10);
});

test("a service that fails twelve times in a row is left alone, and told why", () => {
  const budget = new Budget();
  for (const _ of times(11)) budget.failed(0);
  expect(budget.refusal(1)).toBeUndefined();
  budget.failed(0);
  expect(budget.refusal(1)).toContain("12 requests in a row failed");
});

test("an answer in between, of whatever kind, starts the count anew", () => {
  const budget = new Budget();
  for (const _ of times(11)) budget.failed(0);
  budget.answered();
  for (const _ of times(11)) budget.failed(0);
  expect(budget.refusal(1)).toBeUndefined();
});

test("after ten seconds it is tried again; one failure more, and it rests again", () => {
  const budget = new Budget();
  for (const _ of times(12)) budget.failed(0);
  expect(budget.refusal(9_999)).toBeDefined();
  expect(budget.refusal(10_000)).toBeUndefined();
  budget.failed(10_000);
  expect(budget.refusal(10_001)).toBeDefined();
  budget.answered();
  expect(budget.refusal(20_001)).toBeUndefined();
});
