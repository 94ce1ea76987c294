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

test("four are in flight at first, a third more after each round, and at most sixteen", () => {
  expect(rounds(8, 16)).toEqual([4, 5, 7, 9, 12, 16, 16, 16]);
});

test("after every third that is accepted, one more may be in flight, not several at once", () => {
  const concurrency = new Concurrency();
  const limits = Array.from({ length: 8 }, () => {
    concurrency.accepts(16);
    return concurrency.limit;
  });
  expect(limits).toEqual([4, 4, 5, 5, 5, 6, 6, 6]);
});

test("one that does not use all that may be in flight allows no more", () => {
  const concurrency = new Concurrency();
  for (let at = 0; at < 50; at += 1) concurrency.accepts(3);
  expect(concurrency.limit).toBe(4);
});

test("a refusal leaves 0.7 of them, and after it, 32 rounds allow one more", () => {
  expect(rounds(37, 8)).toEqual([4, 5, 7, 9, ...Array(32).fill(6), 7]);
  expect(rounds(80, 8).slice(37)).toEqual([...Array(31).fill(7), ...Array(12).fill(8)]);
});

test("one is always left", () => {
  expect(rounds(4, 0)).toEqual([4, 2, 1, 1]);
});

test("a refusal begins the 32 rounds again", () => {
  const concurrency = new Concurrency();
  const accept = (count: number) => {
    for (let at = 0; at < count; at += 1) concurrency.accepts(16);
    return concurrency.limit;
  };
  concurrency.refuses();
  expect(accept(32 * 2 - 1)).toBe(2);
  concurrency.refuses();
  expect(accept(31)).toBe(1);
  expect(accept(1)).toBe(2);
});
