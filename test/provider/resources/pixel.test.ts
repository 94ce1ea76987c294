import { expect, test } from "vitest";
import { pixel } from "../../../provider/resources";

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
