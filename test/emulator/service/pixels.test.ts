import { expect, test } from "vitest";
import { pixels, service } from "../../service";

const pixel = { name: "GA", type: "google-analytics", value: "G-1_a" };

test.each([
  ["name", { name: "" }, "The name field is required."],
  ["name", { name: "n".repeat(33) }, "The name may not be greater than 32 characters."],
  ["type", { type: "" }, "The type field is required."],
  ["type", { type: "x" }, "The selected type is invalid."],
  ["value", { value: "" }, "The value field is required."],
  ["value", { value: "a b" }, "The value format is invalid."],
  ["value", { value: "v".repeat(256) }, "The value may not be greater than 255 characters."],
])("a bad %s is refused on store and on update: %j", async (field, fields, sentence) => {
  const { ask } = await service();
  await ask("POST", pixels, { ...pixel, name: "other" });
  const refused = { status: 422, body: { message: { [field]: [sentence] }, status: 422 } };
  expect(await ask("POST", pixels, { ...pixel, ...fields })).toMatchObject(refused);
  expect(await ask("PUT", `${pixels}/1`, fields)).toMatchObject(refused);
});

test("a pixel's name is trimmed, and one's own among the account's pixels", async () => {
  const { ask, control } = await service();
  await ask("POST", pixels, { ...pixel, name: "  GA  " });
  expect(await control.pixels()).toMatchObject([{ name: "GA" }]);
  const taken = { status: 422, body: { message: { name: ["The name has already been taken."] } } };
  expect(await ask("POST", pixels, pixel)).toMatchObject(taken);
  await ask("POST", pixels, { ...pixel, name: "Other" });
  expect(await ask("PUT", `${pixels}/2`, { name: "GA" })).toMatchObject(taken);
  expect(await ask("PUT", `${pixels}/1`, { name: "GA" })).toMatchObject({ status: 200 });
});
