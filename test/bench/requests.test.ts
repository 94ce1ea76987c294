import { describe, expect, it } from "vitest";
import { operation } from "../../bench/operations.mjs";
import { allowed, inShort, requestsOf, requestViolations, total } from "../../bench/requests.mjs";
import { sent } from "./runs";

it("requests are sorted into pages of a list, single records, and writes", () => {
  const received = (count: number) => ({ received: count });
  const requests = requestsOf({
    "GET /api/v1/websites": received(2),
    "GET /api/v1/websites/{id}": received(3),
    "POST /api/v1/websites": received(4),
    "PUT /api/v1/websites/{id}": received(5),
    "PATCH /api/v1/websites/{id}": received(1),
    "DELETE /api/v1/websites/{id}": received(6),
  });
  expect(requests).toEqual({ list: 2, look: 3, POST: 4, PUT: 6, DELETE: 6 });
  expect(total(requests)).toBe(21);
});

describe("the allowed requests", () => {
  it.each([
    ["up", 10, { write: "POST", writes: 10, reads: 1 }],
    ["change", 100, { write: "PUT", writes: 100, reads: 1 }],
    ["destroy", 101, { write: "DELETE", writes: 101, reads: 2 }],
    ["refresh", 1000, { write: undefined, writes: 0, reads: 10 }],
    ["up again", 1000, { write: undefined, writes: 0, reads: 0 }],
    ["preview", 1000, { write: undefined, writes: 0, reads: 0 }],
  ])("to %s of %i records", (name, records, limit) => {
    expect(allowed(operation(name), records)).toEqual(limit);
  });

  it("are one read of each record and two more if the account has more pages than the stack has records", () => {
    expect(allowed(operation("destroy"), 3, 5000).reads).toBe(5);
    expect(allowed(operation("refresh"), 3, 5000).reads).toBe(5);
    expect(allowed(operation("preview"), 3, 5000).reads).toBe(0);
    expect(allowed(operation("change"), 30, 200).reads).toBe(2);
  });

  it("are the list's pages again for every two minutes that it takes", () => {
    expect(allowed(operation("change"), 1000, 1000, 119_000).reads).toBe(10);
    expect(allowed(operation("change"), 1000, 1000, 151_000).reads).toBe(20);
    expect(requestViolations(operation("change"), 1000, sent({ list: 20, PUT: 1000 }))).toHaveLength(1);
    expect(
      requestViolations(operation("change"), 1000, sent({ list: 20, PUT: 1000 }), { ms: 151_000 }),
    ).toEqual([]);
  });
});

describe("a violation", () => {
  it("is not reported if an operation sent what is allowed, or read less", () => {
    expect(requestViolations(operation("destroy"), 200, sent({ list: 2, DELETE: 200 }))).toEqual([]);
    expect(requestViolations(operation("destroy"), 200, sent({ DELETE: 200 }))).toEqual([]);
  });

  it("is one read too many, of a list or of a record", () => {
    expect(requestViolations(operation("refresh"), 30, sent({ look: 30 }))).toEqual([
      "refresh of 30 read 30 times, not 1",
    ]);
    expect(requestViolations(operation("refresh"), 30, sent({ list: 1, look: 1 }))).toHaveLength(1);
  });

  it("is a write too many, a missing write, or a write of another kind", () => {
    expect(requestViolations(operation("up"), 3, sent({ POST: 4 }))).toEqual(["up of 3 sent 4 POST, not 3"]);
    expect(requestViolations(operation("up"), 3, sent({ POST: 2 }))).toHaveLength(1);
    expect(requestViolations(operation("preview"), 3, sent({ PUT: 1 }))).toEqual([
      "preview of 3 sent 1 PUT, not 0",
    ]);
  });
});

it("requests as short text leave out kinds without requests", () => {
  expect(inShort(sent({ list: 1, POST: 30 }))).toBe("1 list + 30 POST");
  expect(inShort(sent())).toBe("0");
});
