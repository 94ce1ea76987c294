import { expect, test } from "vitest";
import { website } from "../../../provider/resources";
import { decode, encode, parseId } from "../../../provider/schema/codec";

test("an id is a whole number that JSON holds exactly, or a short text that fits into a path", () => {
  const uuid = "0b5c8f2e-1c3d-4e5f-8a9b-0c1d2e3f4a5b";
  const ids = [1, 0, 5.0, Number.MAX_SAFE_INTEGER, "7", "9007199254740993", uuid];
  expect(ids.map(parseId)).toEqual(ids.map(String));
  const wrong = [2 ** 53, 2 ** 53 + 2, 1e21, Number.NaN, 1.5, -1, "", "a/b", "..", "5?x=1", "5 ", "5\n"];
  const none = [...wrong, "x".repeat(65), null, true, [5], {}];
  expect(none.filter((each) => parseId(each) !== undefined)).toEqual([]);
});

test("decode tells what is absent from what is null", () => {
  const { values } = decode(website, {
    id: 1,
    privacy: null,
    email: null,
    exclude_ips: null,
    password: false,
  });
  expect(values).toEqual({ privacy: "public", emailReports: false, excludeIps: [], password: null });
  expect(values).not.toHaveProperty("excludeParams");
  expect(values).not.toHaveProperty("excludeBots");
});

test("encode sends the named arguments under their wire names, and what was dropped as empty", () => {
  const args = {
    domain: "Shop.example",
    privacy: "public",
    emailReports: false,
    excludeIps: ["192.0.2.7", "192.0.2.8"],
  };
  expect(encode(website, args, ["domain", "privacy", "emailReports", "excludeIps"])).toEqual({
    domain: "shop.example",
    privacy: "0",
    email: "0",
    exclude_ips: "192.0.2.7\n192.0.2.8",
  });
  expect(encode(website, {}, ["excludeParams", "password"])).toStrictEqual({ exclude_params: "" });
  expect(() => encode(website, {}, ["colour"])).toThrow(new TypeError("no field colour exists"));
});
