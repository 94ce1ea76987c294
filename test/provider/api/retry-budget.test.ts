import { expect, test } from "vitest";
import { RetryBudget } from "../../../provider/api/retry-budget";

const times = (count: number) => Array.from({ length: count }, (_, at) => at);

test("a process has ten retries to begin with, and no more", () => {
  const budget = new RetryBudget();
  expect(times(12).map(() => budget.spend())).toEqual([...times(10).map(() => true), false, false]);
});

test("five answered requests pay for one retry more, and no more than ten are saved up", () => {
  const budget = new RetryBudget();
  for (const _ of times(10)) budget.spend();
  for (const _ of times(4)) budget.refill();
  expect(budget.spend()).toBe(false);
  budget.refill();
  budget.refill();
  expect(budget.spend()).toBe(true);
  for (const _ of times(1000)) budget.refill();
  expect(times(12).filter(() => budget.spend())).toHaveLength(10);
});
