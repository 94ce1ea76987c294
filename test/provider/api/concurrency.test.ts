import { expect, test } from "vitest";
import { Concurrency } from "../../../provider/api/concurrency";

/** The limits that a service's answers lead to, round by round; it takes so many at a time. */
function rounds(count: number, takes: number, concurrency = new Concurrency()): number[] {
  return Array.from({ length: count }, () => {
    const { limit } = concurrency;
    if (limit > takes) concurrency.refuses();
    else for (let at = 0; at < limit; at += 1) concurrency.accepts(concurrency.limit);
    return limit;
  });
}

test("two are in flight at first, half as many more after each round, though its answers come together, and at most sixteen", () => {
  expect(rounds(8, 16)).toEqual([2, 3, 4, 6, 9, 14, 16, 16]);
});

test("after every second that is accepted, one more may be in flight, not several at once", () => {
  const concurrency = new Concurrency();
  const limits = Array.from({ length: 8 }, () => {
    concurrency.accepts(16);
    return concurrency.limit;
  });
  expect(limits).toEqual([2, 3, 3, 4, 4, 5, 5, 6]);
});

test("one that does not use all that may be in flight allows no more", () => {
  const concurrency = new Concurrency();
  for (let at = 0; at < 50; at += 1) concurrency.accepts(1);
  expect(concurrency.limit).toBe(2);
});

test("a refusal leaves 0.7 of them, and after it, 32 rounds allow one more", () => {
  expect(rounds(37, 8)).toEqual([2, 3, 4, 6, 9, ...Array(32).fill(6)]);
  expect(rounds(80, 8).slice(37)).toEqual([...Array(32).fill(7), ...Array(11).fill(8)]);
});

test("one is always left", () => {
  expect(rounds(3, 0)).toEqual([2, 1, 1]);
});
