import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pageFor, rises, type Stretch, stretchOf } from "../../../provider/api/reach";

const stretch = (firstPage: number, lastPage: number, firstId: number, lastId: number): Stretch => ({
  firstPage,
  lastPage,
  firstId,
  lastId,
});

describe("a page", () => {
  test("reaches from its first id to its last", () => {
    expect(stretchOf(3, ["7", "8", "19"])).toEqual(stretch(3, 3, 7, 19));
    expect(stretchOf(1, ["0"])).toEqual(stretch(1, 1, 0, 0));
  });

  test.each([
    ["it is empty", []],
    ["ids fall", ["9", "8"]],
    ["an id stands twice", ["8", "8"]],
    ["ids fall in the end", ["1", "5", "4"]],
    ["a record has no id that can be held", ["1", undefined, "3"]],
    ["the first has none", [undefined, "3"]],
    ["an id is a word", ["1", "two"]],
    ["an id is too large to be exact", ["1", "9007199254740993"]],
    ["an id is a fraction", ["1", "1.5"]],
  ])("reaches nowhere where %s", (_, ids) => expect(stretchOf(1, ids)).toBeUndefined());
});

test("ids rise where each stretch begins after the one before it ends", () => {
  expect(rises([stretch(1, 1, 0, 9)])).toBe(true);
  expect(rises([stretch(1, 1, 1, 9), stretch(4, 4, 10, 20)])).toBe(true);
  expect(rises([stretch(1, 1, 1, 9), stretch(4, 4, 9, 20)])).toBe(false);
  expect(rises([stretch(1, 1, 1, 2), stretch(2, 2, 8, 9), stretch(3, 3, 4, 5)])).toBe(false);
});

describe("an id is likely to be", () => {
  const front = stretch(1, 1, 1, 100);

  test.each([
    [101, 2],
    [200, 2],
    [201, 3],
    [950, 10],
    [5000, 10],
  ])("as far on as ids rise on the pages from the beginning: %i on page %i", (id, page) =>
    expect(pageFor(id, [front], { pages: 10, size: 100 })).toBe(page),
  );

  test.each([
    [101, 2],
    [550, 6],
    [899, 9],
  ])("between two pages, in proportion: %i on page %i", (id, page) =>
    expect(pageFor(id, [front, stretch(10, 10, 901, 1000)], { pages: 12, size: 100 })).toBe(page),
  );

  test("between two pages, however fast ids rise before them", () =>
    expect(
      [101, 5000, 9999].map((id) =>
        pageFor(id, [front, stretch(10, 10, 10_001, 10_100)], { pages: 12, size: 100 }),
      ),
    ).toEqual([2, 5, 9]));

  test("after the last that was read, by how ids rise there", () =>
    expect(
      [1001, 1300, 1301].map((id) =>
        pageFor(id, [front, stretch(5, 5, 901, 1000)], { pages: 12, size: 100 }),
      ),
    ).toEqual([6, 8, 9]));

  test("on the first page, where the pages from the beginning have been emptied", () =>
    expect(pageFor(101, [stretch(1, 0, 1, 100)], { pages: 10, size: 100 })).toBe(1));

  test("on the last page, where one record a page tells nothing of how they rise", () =>
    expect([8, 9, 99].map((id) => pageFor(id, [stretch(1, 1, 7, 7)], { pages: 3, size: 1 }))).toEqual([
      2, 3, 3,
    ]));

  test("nowhere else than on a page that was read", () => {
    const read = [front, stretch(5, 5, 401, 500)];
    expect(
      [-1, 0, 1, 77, 100, 401, 499, 500].map((id) => pageFor(id, read, { pages: 10, size: 100 })),
    ).toEqual(Array(8).fill(undefined));
  });

  test("nowhere between pages that follow one another, or after the last", () => {
    expect(pageFor(101, [front, stretch(2, 2, 150, 250)], { pages: 9, size: 100 })).toBeUndefined();
    expect(pageFor(300, [front, stretch(2, 2, 150, 250)], { pages: 2, size: 100 })).toBeUndefined();
  });
});

test("a list whose ids rise evenly shows any of them on the page that is tried first", () => {
  const world = fc.record({
    step: fc.integer({ min: 1, max: 1000 }),
    pages: fc.integer({ min: 2, max: 50 }),
    at: fc.nat(),
  });
  fc.assert(
    fc.property(world, ({ step, pages, at }) => {
      const place = 100 + (at % (100 * (pages - 1)));
      const first = stretch(1, 1, step, 100 * step);
      expect(pageFor((place + 1) * step, [first], { pages, size: 100 })).toBe(Math.floor(place / 100) + 1);
    }),
  );
});
