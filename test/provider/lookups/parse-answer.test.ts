import { describe, expect, test } from "vitest";
import * as z from "zod";
import { ApiError, type Request, type Response, UnexpectedAnswer } from "../../../provider/api/api";
import { NotFoundError } from "../../../provider/lookups/lookup";
import { ACCOUNT_REQUEST, callMarket, parseAnswer } from "../../../provider/lookups/marketplace";
import { rejection } from "../harness";

const item: Request = { method: "GET", path: "/api/items/item" };
const answer: Response = { status: 200, body: { data: { username: "ada" } } };
const missing = (request: Request) => new ApiError(request, "missing", "nothing found", { status: 404 });

/** A service that gives these answers, one after the other, and what it was asked. */
function giving(...answers: (Response | Error)[]) {
  const asked: string[] = [];
  const api = async ({ path }: Request) => {
    asked.push(path);
    const next = answers.shift();
    if (next === undefined) throw new Error("it was asked once too often");
    if (next instanceof Error) throw next;
    return next;
  };
  return { api, asked };
}

describe("what the marketplace does not find", () => {
  test("is missing where the account shows that the key is right", async () => {
    const error = missing(item);
    const { api, asked } = giving(error, answer);
    expect(await rejection(callMarket(api, item, "it can't be read"))).toBe(error);
    expect(asked).toEqual([item.path, ACCOUNT_REQUEST.path]);
  });
  test("is a rejected key where the account says so", async () => {
    const { api } = giving(missing(item), new ApiError(ACCOUNT_REQUEST, "unauthorised", "wrong key"));
    expect(await rejection(callMarket(api, item, "it can't be read"))).toMatchObject({
      failure: "unauthorised",
      reason: "it can't be read: wrong key",
    });
  });
  test("is unclear where the account can't be asked", async () => {
    const { api } = giving(missing(item), new ApiError(ACCOUNT_REQUEST, "unclear", "broken"));
    expect(await rejection(callMarket(api, item, "it can't be read"))).toMatchObject({
      failure: "unclear",
      reason: "it can't be read, perhaps because the API key is wrong: nothing found",
      details: { status: 404 },
    });
  });
  test("is unclear where what the account answers with is no account", async () => {
    for (const body of [undefined, {}, [], { data: [] }, { data: { name: null } }]) {
      const { api } = giving(missing(item), { ...answer, body });
      expect(await rejection(callMarket(api, item, "it can't be read"))).toMatchObject({
        failure: "unclear",
      });
    }
  });
  test("is told at once where it is the account itself", async () => {
    const { api, asked } = giving(missing(ACCOUNT_REQUEST));
    expect((await rejection(callMarket(api, ACCOUNT_REQUEST, "no account"))).message).toContain(
      "no account: nothing found",
    );
    expect(asked).toHaveLength(1);
  });
});

test("an error of our own passes as it is", async () => {
  const error = new TypeError("our fault");
  expect(await rejection(callMarket(giving(error).api, item, "it can't be read"))).toBe(error);
});

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
