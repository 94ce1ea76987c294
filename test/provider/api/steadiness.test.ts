import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Steadiness } from "../../../provider/api/steadiness";

let steadiness = new Steadiness();
beforeEach(() => {
  vi.useFakeTimers({ now: 0, toFake: ["performance"] });
  steadiness = new Steadiness();
});
afterEach(() => void vi.useRealTimers());

const sent = (rank: number, isRead: boolean) => ({
  at: performance.now(),
  refusals: 0,
  rank,
  isRead,
  isCreate: false,
  attempts: 0,
});
const accepts = (rank = 1, isRead = false) => steadiness.accepts(sent(rank, isRead));
/** Whether one that is refused may be chance, if three in a row are none. */
const mayBeChance = (rank = 1, isRead = false) =>
  steadiness.mayBeChance({ ...sent(rank, isRead), saysLimit: false }, 3);
const some = (count: number, ...refusal: Parameters<typeof mayBeChance>) =>
  Array.from({ length: count }, () => mayBeChance(...refusal));

test("a refusal may be chance until so many in a row are refused", () => {
  expect(some(4)).toEqual([true, true, false, false]);
});

test("one that is accepted ends the row, unless it was less demanding, or reads where the others write", () => {
  some(2, 5);
  accepts(5);
  some(2, 5);
  accepts(4);
  accepts(5, true);
  expect(mayBeChance(5)).toBe(false);
});

test("a limit that is learned ends the row of its kind, and is known by the fewest that were too many", () => {
  some(1, 7);
  some(1, 5);
  some(2, 3, true);
  expect(steadiness.end(sent(9, false))).toBe(5);
  expect([mayBeChance(5), mayBeChance(3, true)]).toEqual([true, false]);
});

test("one that was alone, and is accepted when it is sent again at once, shows that 503s come by chance", () => {
  mayBeChance();
  vi.advanceTimersByTime(19);
  expect(accepts()).toBe(true);
});

test.each<[string, () => unknown]>([
  [
    "it waited meanwhile, as for a limiter that wants more time between two",
    () => vi.advanceTimersByTime(20),
  ],
  ["another one is accepted that was sent beside it", () => accepts(2)],
  ["as many were refused in a row as show a limit", () => some(2)],
  ["the latest refusal was of one beside others", () => mayBeChance(2)],
])("it does not if %s", (_, next) => {
  mayBeChance();
  next();
  expect(accepts()).toBe(false);
});

test("of a service that refuses by chance, twelve in a row show a limit, and if they were alone, then again fewer", () => {
  mayBeChance();
  accepts();
  expect(some(12, 5)).toEqual([...Array(11).fill(true), false]);
  accepts(5);
  expect(some(12)).toEqual([...Array(11).fill(true), false]);
  accepts();
  expect(some(3)).toEqual([true, true, false]);
});
