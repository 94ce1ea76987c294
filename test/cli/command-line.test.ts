import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { GUIDE } from "../../provider/lifecycle/advice";
import { bundleSource } from "../../tools/source.mjs";
import { played } from "./played";
import { ran } from "./run-command";

const options = "declared out format only match exclude stack file apply";
test.each<[string[], string[], number]>([
  [
    [],
    [
      "Example, the first time:\n  npx pulumi-tracking doctor\n",
      "2 invalid arguments",
      "preview: those of pulumi preview",
      GUIDE,
    ],
    30,
  ],
  [["accept"], ["--new ", "--deleted ", "--match ", "--apply ", "Example: npx", "Exit codes: 0 nothing"], 25],
  [["import"], [...options.split(" ").map((name) => `--${name} `), "Example: npx", "Exit codes: 0 done"], 25],
  [["doctor"], ["--json", "--strict", "-s, --stack ", "--all-stacks", "Exit codes:", "Example"], 25],
])(
  "help of the program and %j fits a screen, and has an example and the exit codes",
  async (words, parts, height) => {
    const { status, out } = await ran(...words, "--help");
    expect(status).toBe(0);
    for (const part of parts) expect(out).toContain(part);
    const lines = out.split("\n");
    expect(lines.length).toBeLessThanOrEqual(height);
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
  },
);

const SEVERAL = "cannot be used with option";
test.each([
  [["doctor", "--stack", "a", "--all-stacks"], SEVERAL],
  [["doctor", "--stacks", "a", "--all-stacks"], SEVERAL],
  [["list", "--stack", ","], "Give at least one name."],
  [["list", "--stacks", ","], "Give at least one name."],
  [["import", "--declared", "--only", "websites"], SEVERAL],
  [["import", "--declared", "--match", "a"], SEVERAL],
  [["import", "--format", "json"], "argument 'json' is invalid. Allowed choices are ts, js, yaml."],
])("%j makes no command: status 2 and one line", async (args, line) => {
  const { status, out, error } = await ran(...args);
  expect([status, out]).toEqual([2, ""]);
  expect(error).toMatch(/^error: [^\n]+\n$/);
  expect(error).toContain(line);
});

test.each(["doctor", "list"])(
  "%s takes several stacks, each by itself or by commas, in two spellings",
  async (name) => {
    const { calls } = played({}, { "Pulumi.yaml": "name: shop\nruntime: nodejs\n" });
    await ran(name, "-s", "a,b", "--stack", "c", "--stacks", "d,e", "--stacks=f");
    const asked = calls().map((line) => /^config .*--stack (\S+)/.exec(line)?.[1]);
    expect(asked.filter(Boolean)).toEqual(["a", "b", "c", "d", "e", "f"]);
  },
);

test("the program's own file keeps the exit code that a preview has set, instead of 1 for its failure", async () => {
  played({ preview: "echo '{\"steps\": []}'; exit 7" });
  const { argv } = process;
  const streams = [process.stdout, process.stderr];
  const words = streams.map((stream) => vi.spyOn(stream, "write").mockReturnValue(true));
  onTestFinished(() => {
    for (const each of words) each.mockRestore();
    Object.assign(process, { argv, exitCode: undefined });
  });
  process.argv = ["node", "pulumi-tracking", "preview", "--", "--expect-no-changes"];
  await (await import("../../cli/main.js")).ended;
  expect(process.exitCode).toBe(7);
});

/** The program, bundled once. */
let program: Promise<string> | undefined;

/** Starts the command in a process of its own, which reads the program from its input. */
async function start(args: readonly string[], out: "pipe" | number = "pipe") {
  program ??= bundleSource("cli/main.ts");
  const code = await program;
  const child = spawn(process.execPath, ["-", ...args], { stdio: ["pipe", out, "pipe"] });
  child.stdin?.end(code);
  return child;
}

test.runIf(process.platform === "linux")(
  "a full disk behind the output is told in one sentence",
  async () => {
    const full = openSync("/dev/full", "w");
    const command = await start(["list", "--help"], full);
    closeSync(full);
    const said = text(command.stderr as Readable);
    expect(await once(command, "close")).toEqual([1, null]);
    expect(await said).toMatch(/^error: the output can't be written \(.*no space left on device.*\)\n$/);
  },
);

test.each([
  { unread: "stdout", other: "stderr", args: ["--help"], status: 0 },
  { unread: "stderr", other: "stdout", args: ["--format", "json"], status: 2 },
] as const)(
  "a reader of $unread that ends first, as head does, changes nothing",
  async ({ unread, other, args, status }) => {
    const command = await start(["import", ...args]);
    command[unread]?.destroy();
    const said = text(command[other] as Readable);
    expect(await once(command, "close")).toEqual([status, null]);
    expect(await said).toBe("");
  },
);
