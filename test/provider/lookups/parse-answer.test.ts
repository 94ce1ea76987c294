import { describe, expect, test } from "vitest";
import * as z from "zod";
import { type Request, type Response, UnexpectedAnswer } from "../../../provider/api/api";
import { NotFoundError } from "../../../provider/lookups/lookup";
import { parseAnswer } from "../../../provider/lookups/marketplace";

const item: Request = { method: "GET", path: "/api/items/item" };
const answer: Response = { status: 200, body: { data: { username: "ada" } } };
describe("an answer", () => {
  const shape = z.object({ name: z.string(), of: z.array(z.number()), a: z.null(), b: z.null() });
  test("that fits is given in our shape", () => {
    const part = { name: "a", of: [1], a: null, b: null };
    expect(parseAnswer(item, shape, { ...part, more: 1 }, answer)).toEqual(part);
  });
  test("that does not fit names its fields, three at most, and no value", () => {
    const part = { name: 5, of: [1, "canary"], a: 1, b: 2 };
    const read = () => parseAnswer(item, shape, part, answer);
    expect(read).toThrow(UnexpectedAnswer);
    expect(read).toThrow(
      /makes no sense \(name: Invalid input.*; of\.1: Invalid input.*; a: Invalid input[^;]*\); is the base URL that of the marketplace\?$/,
    );
    expect(read).not.toThrow(/canary/);
    expect(read).toThrow(expect.objectContaining({ details: { status: 200, likelyCause: "baseUrl" } }));
  });
  test("that is nothing at all is called it", () =>
    expect(() => parseAnswer(item, shape, undefined, answer)).toThrow(/makes no sense \(it: Invalid input/));
});

test("what is absent has a name of its own", () => expect(new NotFoundError("x").name).toBe("NotFoundError"));
