import { beforeEach, describe, expect, test } from "vitest";
import { Concurrency } from "../../../provider/api/concurrency";

const SENT = { at: 0, refusals: 0, isRead: false, isCreate: false, attempts: 0 };
const LIMITED = { ...SENT, saysLimit: true };
const BUSY = { ...SENT, saysLimit: false };
const CREATE = { ...BUSY, isCreate: true };
let concurrency = new Concurrency();
beforeEach(() => {
  concurrency = new Concurrency();
});

/** As many are sent as may be, and the service takes so many of them at a time. Returns how many it refused. */
function round(takes: number, refusal = LIMITED): number {
  const { limit } = concurrency;
  const ranks = Array.from({ length: limit }, (_, at) => at + 1);
  // The first refusal is told; the other answers of that round say nothing new.
  if (limit > takes) concurrency.refuses({ ...refusal, rank: takes + 1 });
  // Another one is sent for each that is answered.
  else for (const rank of ranks) concurrency.accepts(rank, concurrency.limit);
  return Math.max(0, limit - takes);
}
const rounds = (count: number, takes: number, refusal?: typeof LIMITED) =>
  Array.from({ length: count }, () => round(takes, refusal));

test("four are in flight at first, one more for each round that is accepted, though its answers come together, and at most sixteen", () => {
  const seen = Array.from({ length: 14 }, () => {
    const { limit } = concurrency;
    round(16);
    return limit;
  });
  expect(seen).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 16]);
});

test("one that does not use all that may be in flight allows no more", () => {
  for (let at = 1; at < 50; at += 1) concurrency.accepts(1, 1);
  expect(concurrency.limit).toBe(4);
});

describe.each([1, 2, 3, 5, 9, 14])("a service that takes %i at a time", (takes) => {
  test("gets as many, and one more after two hundred are accepted", () => {
    rounds(12, takes);
    expect(concurrency.limit).toBe(takes);
    const refused = rounds(Math.ceil(400 / takes), takes).reduce((sum, each) => sum + each, 0);
    expect(refused).toBeGreaterThanOrEqual(1);
    expect(refused).toBeLessThanOrEqual(2);
    expect(concurrency.limit).toBeLessThanOrEqual(takes + 1);
  });

  test("gets one more only after a thousand if it refuses a create, which ends that", () => {
    rounds(12, takes, CREATE);
    const refused = rounds(Math.ceil(800 / takes), takes, CREATE);
    expect(new Set(refused)).toEqual(new Set([0]));
  });

  test("is sent more at once when it takes more", () => {
    rounds(12, takes);
    rounds(Math.ceil(220 / takes) + 15, 16);
    expect(concurrency.limit).toBe(16);
  });
});

test("what was refused for another reason than its number leaves as many as there may be", () => {
  rounds(12, 2, BUSY);
  concurrency.forget();
  expect(rounds(2, 16)).toEqual([0, 0]);
  expect(concurrency.limit).toBe(16);
});

describe("how many refusals in a row show that the number was too large", () => {
  const enough = (rank: number, isCreate = false) => concurrency.enough({ ...SENT, rank, isCreate });

  test("are two of more than it ever accepted, and one of a create, which fails if it is tried again", () => {
    concurrency.accepts(3, 3);
    expect([enough(4), enough(4, true)]).toEqual([2, 1]);
  });

  test("are six of a number that it has accepted, and one once a number was too large", () => {
    concurrency.accepts(3, 3);
    expect(enough(3)).toBe(6);
    concurrency.refuses({ ...BUSY, rank: 4 });
    expect(enough(3)).toBe(1);
  });
});

test("a number that was accepted and is then refused is halved, and grows again at once to what was refused", () => {
  const accept = (count: number) => {
    for (let at = 0; at < count; at += 1) concurrency.accepts(concurrency.limit, concurrency.limit);
  };
  accept(115);
  concurrency.refuses({ ...BUSY, rank: 16 });
  expect(concurrency.limit).toBe(8);
  accept(100);
  expect(concurrency.limit).toBe(15);
});
