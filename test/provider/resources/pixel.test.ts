import { expect, test } from "vitest";
import { catalogue, PixelType, pixel } from "../../../provider/resources";
import { check } from "../../../provider/schema/check";
import { collectionOf, decode, encode, isSame } from "../../../provider/schema/wire";

const ga = { name: "GA", type: "google-analytics", value: "G-1_a" };

test("a pixel is one of the resources that there are, kept by the data service", () => {
  expect(catalogue).toContain(pixel);
  expect([pixel.type, pixel.service]).toEqual(["Pixel", "data"]);
  expect(collectionOf(pixel)).toMatchObject({ path: "/api/v1/pixels" });
});

test("a pixel is sent as it is written, and its value read under the old name too", () => {
  expect(encode(pixel, ga, ["name", "type", "value"])).toEqual(ga);
  expect(decode(pixel, { ...ga, id: 1 }).values).toEqual(ga);
  expect(decode(pixel, { pixel_id: "G-1" }).values).toEqual({ value: "G-1" });
});

test("a pixel is the one in state by its name or its value, and nothing takes anything with it", () => {
  const values = { ...ga, name: "other" };
  expect(isSame(pixel, ga, { id: "1", values })).toBe(true);
  expect(isSame(pixel, ga, { id: "1", values: { ...values, value: "2" } })).toBe(false);
  expect(isSame(pixel, ga, { id: "1", values: { ...ga, value: "2" } })).toBe(true);
  expect([pixel.key, pixel.guards]).toEqual(["name", undefined]);
});

test("the types are those that the service knows", () => {
  expect(Object.values(PixelType)).toEqual([
    "adroll",
    "bing",
    "facebook",
    "google-ads",
    "google-analytics",
    "google-tag-manager",
    "linkedin",
    "pinterest",
    "quora",
    "twitter",
  ]);
  for (const type of [...Object.values(PixelType), "x"])
    expect(check(pixel, {}, { ...ga, type }).failures).toEqual([]);
  expect(pixel.inputs.type.canonical("x")).toBe("twitter");
});

test.each<[string, object, string | undefined]>([
  ["a name of 32 characters", { name: "n".repeat(32) }, undefined],
  ["no name of 33", { name: "n".repeat(33) }, "name must be text of 1 to 32 characters on one line"],
  ["a value of letters, digits, - and _", { value: "aZ09-_" }, undefined],
  [
    "no value with a blank",
    { value: "G 1" },
    'value must be letters, digits, "-" and "_", 1 to 255 characters',
  ],
  ["no value with another sign in front", { value: "#G1" }, "value must be letters"],
  ["no value with another sign at the end", { value: "G1#" }, "value must be letters"],
])("a pixel has %s", (_, more, failure) => {
  const { failures } = check(pixel, {}, { ...ga, ...more });
  if (failure === undefined) expect(failures).toEqual([]);
  else expect(failures).toEqual([expect.stringContaining(failure)]);
});
