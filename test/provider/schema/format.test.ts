import { expect, test } from "vitest";
import { website } from "../../../provider/resources";
import { format, formatIds } from "../../../provider/schema/format";

test("a message distinguishes records by their ids", () => {
  expect(formatIds([{ id: "5" }, { id: undefined }])).toBe("id 5, id unknown");
});

test("a value is shown short, on one line, and hidden where it is secret", () => {
  expect(format(website.inputs.password, "hunter2")).toBe("(secret)");
  expect(format(website.inputs.domain, "a\nb")).toBe('"a\\nb"');
  expect(format(undefined, 5)).toBe("5");
  expect(format(undefined, ["a"])).toBe('["a"]');
  expect(format(undefined, true)).toBe("true");
  expect(format(undefined, "x".repeat(78))).toBe(`"${"x".repeat(78)}"`);
  expect(format(undefined, "x".repeat(79))).toBe(`"${"x".repeat(76)}...`);
  expect(format(undefined, "x".repeat(500)).length).toBe(80);
});
