import { describe, expect, test } from "vitest";
import { type Api, ApiError } from "../../../provider/api/api";
import { registerSecret } from "../../../provider/api/redact";
import { Lookups } from "../../../provider/lookups/invoke";
import type { Lookup } from "../../../provider/lookups/lookup";
import { required, scalar } from "../../../provider/schema/field";
import { rejection } from "../../rejection";

const source = (settings: Record<string, string> = {}) => {
  const all: Record<string, string> = {
    apiKey: "the-long-key",
    marketBaseUrl: "https://market.example",
    ...settings,
  };
  return { get: (key: string) => all[key] };
};

/** A host without an engine, and what it says. */
function host(api: Api = async () => ({ status: 200, body: 1 })) {
  const warned: string[] = [];
  const log = { warn: (text: string) => void warned.push(text), debug: () => {} };
  return { lookups: new Lookups({ log, connect: () => api }), warned };
}

const word = required<string>({
  expected: "a word",
  validator: (z) => z.string().min(1),
  encode: (value) => value,
  decode: scalar,
});
let asked = 0;
const getWord: Lookup<number> = {
  name: "getWord",
  service: "market",
  inputs: { word },
  invoke: async ({ word: given }, { api, warn }) => {
    asked += 1;
    if (given === "odd") warn("an odd word");
    await api({ method: "GET", path: `/${given}` });
    return asked;
  },
};

describe("a question", () => {
  test("is asked once, and again after other resources have come to be or with other settings", async () => {
    const { lookups } = host();
    const first = await lookups.invoke(getWord, { word: "a" }, source());
    expect(await lookups.invoke(getWord, { word: "a" }, source())).toBe(first);
    expect(await lookups.invoke(getWord, { word: "b" }, source())).toBe(first + 1);
    expect(await lookups.invoke(getWord, { word: "a" }, source(), ["urn id"])).toBe(first + 2);
    expect(await lookups.invoke(getWord, { word: "a" }, source({ apiKey: "another" }))).toBe(first + 3);
  });
  test("says to the host what a person should know", async () => {
    const { lookups, warned } = host();
    await lookups.invoke(getWord, { word: "odd" }, source());
    expect(warned).toEqual(["an odd word"]);
  });
});

describe("what is wrong is one sentence that begins with the function's name:", () => {
  const failing = async (args: Record<string, unknown>, settings = {}, api?: Api) =>
    (await rejection(host(api).lookups.invoke(getWord, args, source(settings)))).message;

  test("an argument, with the name that was meant", async () => {
    expect(await failing({ wort: "a" })).toMatch(/^getWord: .*"wort".*"word".*; word /);
  });
  test("a setting", async () => {
    expect(await failing({ word: "a" }, { marketBaseUrl: "" })).toMatch(/^getWord: .*marketBaseUrl/);
  });
  test("an exchange, without the request and without a secret", async () => {
    const api: Api = async (request) => {
      throw new ApiError(request, "rejected", "the service says no to the-long-key");
    };
    registerSecret("the-long-key");
    expect(await failing({ word: "a" }, {}, api)).toBe("getWord: the service says no to (secret)");
  });
  test("anything else", async () => {
    expect(await failing({ word: "a" }, {}, () => Promise.reject("a text"))).toBe("getWord: a text");
  });
});
