import { expect, test } from "vitest";
import { type Cause, causes, explainFailure, failureFor } from "../../../cli/pulumi/failure";
import { Stack } from "../../../cli/pulumi/stack";

const failed = (stderr: string, stdout = "") => ({ code: 255, stderr, stdout });

test("a program's own error is one line, without its stack", () => {
  const stdout =
    "Running program 'x' failed: Error: odd\n    at f (/x/index.js:1:7)\n    at async main (a:1:2)\n";
  expect(explainFailure(["preview", "--json"], failed("", stdout)).message).toBe(
    "pulumi preview --json failed: Running program 'x' failed: Error: odd. Fix that, and run this again.",
  );
});

test("a command that prints nothing is explained too", () => {
  expect(explainFailure(["import"], failed("")).message).toBe(
    "pulumi import failed: no reason given. Fix that, and run this again.",
  );
});

/** As the CLI 3.258 prints them. */
const printed: readonly (readonly [Cause, string])[] = [
  ["no-project", "no Pulumi.yaml project file found (searching upwards from here): no project file found"],
  ["not-logged-in", "PULUMI_ACCESS_TOKEN must be set for login during non-interactive CLI sessions"],
  ["no-stack", "no stack selected; please use `pulumi stack select` to choose one"],
  ["unknown-stack", "no stack named 'nowhere' found"],
  [
    "no-passphrase",
    "passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE environment variables",
  ],
  ["wrong-passphrase", "incorrect passphrase"],
  ["locked", "the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end"],
];

test.each(printed)("%s is recognized by what pulumi prints, and has a remedy", (cause, stderr) => {
  expect(explainFailure(["stack", "export"], failed(`error: ${stderr}\n`))).toMatchObject({
    rootCause: cause,
    remedy: failureFor(cause).remedy,
  });
});

test("every cause has a remedy", () => {
  for (const cause of causes) expect(failureFor(cause).remedy).toMatch(/^[A-Z].*[^.]$/);
});

test("output of an unexpected shape is reported with its place", async () => {
  const config = new Stack("dev", async () => ({
    code: 0,
    stdout: '{"tracking:apiKey":7}',
    stderr: "",
  })).config();
  await expect(config).rejects.toThrow('"pulumi config" printed unexpected JSON at tracking:apiKey');
  const named = new Stack("dev", async () => ({ code: 0, stdout: "Welcome!", stderr: "" })).names();
  await expect(named).rejects.toThrow('"pulumi stack ls" printed unexpected JSON at the root');
});
