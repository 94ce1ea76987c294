import { expect, test } from "vitest";
import { catalogue, PixelType, pixel } from "../../../provider/resources";
import { decode, encode } from "../../../provider/schema/codec";
import { collectionOf } from "../../../provider/schema/collection";
import { isSameRecord } from "../../../provider/schema/identity";
import { validateResource } from "../../../provider/schema/validate";

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
  expect(isSameRecord(pixel, ga, { id: "1", values })).toBe(true);
  expect(isSameRecord(pixel, ga, { id: "1", values: { ...values, value: "2" } })).toBe(false);
  expect(isSameRecord(pixel, ga, { id: "1", values: { ...ga, value: "2" } })).toBe(true);
  expect([pixel.key, pixel.deletesWith]).toEqual(["name", undefined]);
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
    expect(validateResource(pixel, {}, { ...ga, type }).failures).toEqual([]);
  expect(pixel.inputs.type.canonical("x")).toBe("twitter");
});

test.each<[string, object, string | undefined]>([
  ["a name of 255 characters", { name: "n".repeat(255) }, undefined],
  ["no name of 256", { name: "n".repeat(256) }, "name must be text of 1 to 255 characters on one line"],
  ["no name of blanks", { name: "  " }, "name must be text of 1 to 255 characters on one line"],
  ["a value of any signs", { value: "AW-123/abc d#" }, undefined],
  ["no value of two lines", { value: "G\n1" }, "value must be text of 1 to 255 characters on one line"],
])("a pixel has %s", (_, more, failure) => {
  const { failures } = validateResource(pixel, {}, { ...ga, ...more });
  if (failure === undefined) expect(failures).toEqual([]);
  else expect(failures).toEqual([expect.objectContaining({ text: expect.stringContaining(failure) })]);
});

test("what many services refuse is said where it changes, and is the service's to decide", () => {
  const { name, value } = pixel.inputs;
  expect(name.notice?.(undefined, "n".repeat(33), "name")).toBe(
    "its name is not text of at most 32 characters: many services refuse it",
  );
  expect(value.notice?.("1", "AW-123/abc", "value")).toContain("its value is not text of letters, digits");
  expect(value.notice?.("a b", "a b", "value")).toBeUndefined();
  expect(name.notice?.(undefined, ` ${"n".repeat(32)} `, "name")).toBeUndefined();
  for (const each of ["aZ09-_", " G-1 "]) expect(value.notice?.(undefined, each, "value")).toBeUndefined();
});
