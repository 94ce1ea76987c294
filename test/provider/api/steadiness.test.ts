import { beforeEach, expect, test } from "vitest";
import { Steadiness } from "../../../provider/api/steadiness";

let steadiness = new Steadiness();
beforeEach(() => {
  steadiness = new Steadiness();
});

const accepts = (rank = 1, isRead = false) =>
  steadiness.accepts({ at: 0, refusals: 0, rank, isRead, attempts: 0 });
const mayBeChance = ({ rank = 1, status = 503, asksToWait = false, isPaced = false, isRead = false } = {}) =>
  steadiness.mayBeChance({ at: 0, refusals: 0, rank, status, asksToWait, isRead, attempts: 0 }, isPaced);
/** Answers a request that is alone with a 503, and the next one not. */
function showUnsteady(): void {
  mayBeChance();
  accepts();
}

test("a 503 beside others in flight is one of a limiter, and so is a 429, or one that asks to wait", () => {
  accepts();
  expect([mayBeChance({ rank: 5 }), mayBeChance({ status: 429 }), mayBeChance({ asksToWait: true })]).toEqual(
    [false, false, false],
  );
});

test("one that was alone, and is accepted when it is sent again, shows that 503s are no limit, whatever is in flight", () => {
  expect(mayBeChance()).toBe(true);
  expect(accepts()).toBe(true);
  expect(mayBeChance({ rank: 5 })).toBe(true);
  expect(accepts()).toBe(false);
});

test.each<[string, () => unknown]>([
  ["the next one is refused too, as by a limiter that wants more time between two", () => mayBeChance()],
  ["another one is accepted that was sent beside it", () => accepts(2)],
])("it does not if %s", (_, next) => {
  mayBeChance();
  next();
  accepts();
  expect(mayBeChance({ rank: 5 })).toBe(false);
});

test("nor if requests keep a distance that was learned, of which it may be a little short", () => {
  expect(mayBeChance({ isPaced: true })).toBe(false);
  expect(accepts()).toBe(false);
});

test("of a service that then refuses twelve writes in a row, each 503 counts as one of a limiter for good", () => {
  showUnsteady();
  for (let count = 0; count < 12; count += 1) {
    expect(mayBeChance({ rank: 5 })).toBe(true);
    // That a read is accepted says nothing of a write.
    accepts(3, true);
  }
  expect(mayBeChance({ rank: 5 })).toBe(false);
  for (let count = 0; count < 40; count += 1) accepts(3);
  showUnsteady();
  expect(mayBeChance({ rank: 5 })).toBe(false);
});
