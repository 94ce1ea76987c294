import { expect, test } from "vitest";
import { explainFailure } from "../../../cli/pulumi/explain-failure";
import { Stack, settingsIn } from "../../../cli/pulumi/stack";
import { registerSecret, sanitize } from "../../../provider/api/redact";
import { EXPLICIT } from "../../../provider/config";

const failed = (stderr: string, stdout = "") => ({ code: 255, stderr, stdout });

test("a program's own error is one line, without its stack and secrets", () => {
  registerSecret("hunter2!");
  const stdout =
    "Running program 'x' failed: Error: odd hunter2!\n    at f (/x/index.js:1:7)\n\u001b[90m    at async main (a:1:2)\u001b[39m\n";
  expect(explainFailure(["preview", "--json"], failed("", stdout)).message).toBe(
    "pulumi preview --json failed: Running program 'x' failed: Error: odd (secret). Fix that, and run this again.",
  );
});

/** As the CLI 3.258 prints them. */
test.each([
  ["no stack selected; please use `pulumi stack select` to choose one", "pulumi stack init"],
  ["ModuleNotFoundError: No module named 'pulumi_tracking'", "With npm instead"],
  ["ERROR: Invalid requirement: 'sdks/tracking'", "pulumi install"],
  ["tracking/sdk/go@v0.0.0: replacement directory ./sdks/tracking does not exist", "pulumi install"],
  ["pulumi-tracking/sdk/go/tracking and is replaced but not required", "go mod tidy"],
  ["could not find latest version for provider tracking: no such host", "Pulumi.yaml"],
  ["failed to load checkpoint: EOF", "STACK.json.attrs"],
  [
    'TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts" for /p/index.ts',
    "Package managers and module kinds",
  ],
  ["the stack is currently locked by 1 lock(s). Either wait for the other process(es)", "Fix that"],
])("what pulumi prints is the message, with a remedy: %s", (printed, remedy) => {
  const failure = explainFailure(["stack", "export"], failed(`error: ${printed}\n`));
  expect(failure.title).toBe(`pulumi stack export failed: ${printed}`);
  expect(failure.advice).toContain(remedy);
});

test("what is printed as an error goes before what a program prints", () => {
  const failure = explainFailure(["preview"], failed("error: first\n", "error: second\n"));
  expect(failure.title).toMatch(/^pulumi preview failed: first\s+error: second$/);
});

test("what is secret in a stack's config is in no message from then on", async () => {
  const value = "canary-of-the-config-7";
  const config = JSON.stringify({
    "shop:domain": { value, secret: true },
    "shop:open": { value: "open-7-word", secret: false },
  });
  await new Stack("dev", async () => ({ code: 0, stdout: config, stderr: "" })).config();
  expect(sanitize(`website "${value}", open-7-word`)).toBe('website "(secret)", open-7-word');
});

test("output of an unexpected shape is reported with its place, and without its content", async () => {
  const printing = (stdout: string) => new Stack("dev", async () => ({ code: 0, stdout, stderr: "" }));
  await expect(printing('{"tracking:apiKey":7}').config()).rejects.toThrow(
    /"pulumi config --json" printed something unexpected: .*tracking:apiKey/,
  );
  await expect(printing("Welcome!").names()).rejects.toThrow(
    '"pulumi stack ls" printed something unexpected: it is not JSON',
  );
});

test("what a wrapper of pulumi prints before the JSON is skipped, even if it looks like JSON", async () => {
  const printing = (stdout: string) => new Stack("dev", async () => ({ code: 0, stdout, stderr: "" }));
  const names = '[\n  {"name": "dev"}\n]\n';
  for (const before of ["[wrapper] pulumi 3.276.0\n{odd}\n", "\uFEFF", ""])
    expect(await printing(before + names).names()).toEqual(["dev"]);
});

test("a stack's config can't make its own provider an explicit one", () => {
  const config = { [`tracking:${EXPLICIT}`]: { value: "true" }, "tracking:apiKey": { value: "key" } };
  expect([EXPLICIT, "apiKey"].map(settingsIn(config).get)).toEqual([undefined, "key"]);
});
