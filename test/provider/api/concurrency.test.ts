import { expect, test } from "vitest";
import { Concurrency } from "../../../provider/api/concurrency";

/** The limits that a service's answers lead to, round by round; it takes so many at a time. */
function rounds(count: number, takes: number, concurrency = new Concurrency()): number[] {
  return Array.from({ length: count }, () => {
    const { limit } = concurrency;
    if (limit > takes) concurrency.refuses();
    else for (let at = 0; at < limit; at += 1) concurrency.accepts(limit);
    return limit;
  });
}

test("four are in flight at first, one more for each round that is accepted, though its answers come together, and at most sixteen", () => {
  expect(rounds(15, 16)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 16, 16]);
});

test("one that does not use all that may be in flight allows no more", () => {
  const concurrency = new Concurrency();
  for (let at = 0; at < 50; at += 1) concurrency.accepts(3);
  expect(concurrency.limit).toBe(4);
});

test("a refusal leaves 0.7 of them, and after it, 32 rounds allow one more", () => {
  expect(rounds(37, 8)).toEqual([4, 5, 6, 7, 8, 9, ...Array(31).fill(6)]);
  expect(rounds(80, 8).slice(37)).toEqual([6, ...Array(32).fill(7), ...Array(10).fill(8)]);
});

test("one is always left", () => {
  expect(rounds(5, 0)).toEqual([4, 2, 1, 1, 1]);
});
