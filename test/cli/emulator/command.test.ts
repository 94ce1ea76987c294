import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { addEmulatorCommand, announcement, startFromOptions } from "../../../cli/emulator/command";
import { SEED_EXAMPLE } from "../../../cli/emulator/help";
import type { EmulatorCommandOptions } from "../../../cli/emulator/options";
import { dialectNames, marketDialectNames, parseSeed } from "../../../emulator";
import { startService, websites } from "../../emulator/harness";
import { ran } from "../run-command";

const plain: EmulatorCommandOptions = { port: "0", apiKey: "local-key", dialect: "reference" };

async function file(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "emulator-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "seed.json");
  await writeFile(path, text);
  return path;
}

test("an emulator starts as its options say", async () => {
  const seed = await file('{"websites":[{"domain":"a.example"}]}');
  const emulator = await startFromOptions({
    ...plain,
    dialect: "legacy, loose",
    rateLimit: "5/6",
    apiKey: "k",
    seed,
  });
  onTestFinished(() => emulator.close());
  expect(await emulator.control.settings()).toMatchObject({
    dialect: "legacy",
    marketDialect: "loose",
    rateLimit: { requests: 5, seconds: 6 },
  });
  const headers = { Authorization: "Bearer k", Accept: "application/json" };
  const answer = await fetch(`${emulator.url}${websites}`, { headers });
  expect(await answer.json()).toMatchObject({ data: [{ url: "a.example" }] });
});

test("the rate limit is a real server's unless it is named or turned off", async () => {
  for (const [typed, rateLimit] of [
    [plain, { requests: 60, seconds: 60 }],
    [{ ...plain, rateLimit: false as const }, false],
  ] as const) {
    const emulator = await startFromOptions(typed);
    onTestFinished(() => emulator.close());
    expect(await emulator.control.settings()).toMatchObject({ rateLimit });
  }
});

test("the announcement holds the address and every line to point a program at it", async () => {
  const emulator = await startService();
  const text = announcement(emulator, "it's");
  expect(text).toContain(`listens at ${emulator.url} `);
  for (const line of [
    "pulumi config set --secret tracking:apiKey 'it'\\''s'",
    `pulumi config set tracking:analyticsBaseUrl ${emulator.url}`,
    `pulumi config set tracking:dataBaseUrl ${emulator.url}`,
    `pulumi config set tracking:marketBaseUrl ${emulator.url}`,
    "export TRACKING_API_KEY='it'\\''s'",
    `export TRACKING_ANALYTICS_BASE_URL=${emulator.url}`,
    `export TRACKING_DATA_BASE_URL=${emulator.url}`,
    `export TRACKING_MARKET_BASE_URL=${emulator.url}`,
  ])
    expect(text).toContain(`  ${line}\n`);
});

test.each([
  [["--port", "web"], "web is not a port. Give --port a number from 0 to 65535."],
  [["--port", "65536"], "65536 is not a port. Give --port a number from 0 to 65535."],
  [["--port", "-1"], "-1 is not a port. Give --port a number from 0 to 65535."],
  [["--api-key", ""], "The key is empty or can't be sent. Give --api-key printable ASCII without spaces."],
  [
    ["--rate-limit", "fast"],
    "fast is not a rate limit. Give --rate-limit requests and seconds, such as 60/60.",
  ],
  [
    ["--rate-limit", "0/60"],
    "0/60 is not a rate limit. Give --rate-limit requests and seconds, such as 60/60.",
  ],
  [["--dialect", "klingon"], "Unknown dialect klingon. Give --dialect one of reference, spec, bare"],
  [["--dialect", "spec,bare"], "spec,bare names two dialects of one kind. Give --dialect one of reference"],
  [["--seed", "/nowhere.json"], "The seed file can't be read: ENOENT"],
])("%j ends with status 1 and one line with a remedy", async (args, line) => {
  const { status, out, error } = await ran(addEmulatorCommand, "emulator", ...args);
  expect([status, out]).toEqual([1, ""]);
  expect(error).toContain(`error: ${line}`);
  expect(error.trimEnd()).not.toContain("\n");
});

test("a port that is taken is named, with the way out", async () => {
  const { url } = await startService();
  const { port } = new URL(url);
  expect(await ran(addEmulatorCommand, "emulator", "--port", port)).toMatchObject({
    status: 1,
    error: `error: Port ${port} can't be used (EADDRINUSE). Choose another with --port, or omit it for any free one.\n`,
  });
});

test.each([
  ["{", "it is not JSON"],
  [
    '{"websites":[{"domain":"a","privacy":"1"}]}',
    "websites[0].privacy: Invalid option: expected one of 0|1|2",
  ],
])("a seed file that can't be used is named with its fault: %s", async (text, fault) => {
  const path = await file(text);
  const { status, error } = await ran(addEmulatorCommand, "emulator", "--seed", path);
  expect(status).toBe(1);
  expect(error).toContain(`The seed file ${path} can't be used: ${fault}`);
  expect(error.trimEnd()).not.toContain("\n");
});

test.each([[["emulator", "--prot", "1"]], [["emulator", "--port"]], [["emulate"]], [["emulator", "extra"]]])(
  "%j makes no command: status 2 and one line",
  async (args) => {
    const { status, error } = await ran(addEmulatorCommand, ...args);
    expect(status).toBe(2);
    expect(error).toMatch(/^error: [^\n]+\n$/);
  },
);

test("help is shown for the asking, with every dialect", async () => {
  const { status, out } = await ran(addEmulatorCommand, "emulator", "--help");
  expect(status).toBe(0);
  for (const name of ["webform", "nested-item", "--no-rate-limit", "--seed", "Exit codes", "Example"])
    expect(out).toContain(name);
});

test("help says what each dialect is, and shows a seed that can be used as it stands", async () => {
  const { status, out } = await ran(addEmulatorCommand, "emulator", "--help");
  expect(status).toBe(0);
  for (const name of [...dialectNames, ...marketDialectNames])
    expect(out).toMatch(new RegExp(`^  ${name} +\\w`, "m"));
  const example = out.split("\n").find((line) => line.startsWith("  {")) ?? "";
  expect(parseSeed(example)).toEqual(SEED_EXAMPLE);
  const emulator = await startFromOptions({ ...plain, seed: await file(example) });
  onTestFinished(() => emulator.close());
  expect((await emulator.control.websites()).map(({ id, domain }) => [id, domain])).toEqual([
    [5, "shop.example"],
  ]);
});
