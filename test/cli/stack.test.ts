import { expect, test } from "vitest";
import { NoStack, Stack, settingsOf, stackFailure } from "../../cli/stack";

const failed = (stderr: string, stdout = "") => ({ code: 255, stderr, stdout });

test("a program's own error is told in one line, without its stack", () => {
  const stdout =
    "Running program 'x' failed: Error: odd\n    at f (/x/index.js:1:7)\n    at async main (a:1:2)\n";
  expect(stackFailure(["preview", "--json"], failed("", stdout)).message).toBe(
    "pulumi preview --json failed: Running program 'x' failed: Error: odd. Put that right, and run this again.",
  );
});

test("a command that says nothing is told too", () => {
  expect(stackFailure(["import"], failed("")).message).toBe(
    "pulumi import failed: it gave no reason. Put that right, and run this again.",
  );
});

test("where no stack is selected the environment counts, and a stack that was named has to be there", async () => {
  const run = async () => failed("error: no stack selected");
  expect((await settingsOf(new Stack(undefined, run))).get("apiKey")).toBeUndefined();
  await expect(settingsOf(new Stack("dev", run))).rejects.toBeInstanceOf(NoStack);
});
