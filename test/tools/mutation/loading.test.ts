import { expect, it } from "vitest";
import { replaced } from "../../../tools/mutation/loading.mjs";

const code = 'one("a");\nconst two = [1, 2];\nthree();\n';

it("replaces a range, counted from 1", () => {
  const list = { start: { line: 2, column: 13 }, end: { line: 2, column: 19 } };
  expect(replaced(code, list, "[]")).toBe('one("a");\nconst two = [];\nthree();\n');
});

it("replaces over several lines", () => {
  const rest = { start: { line: 1, column: 1 }, end: { line: 3, column: 9 } };
  expect(replaced(code, rest, "")).toBe("\n");
});
