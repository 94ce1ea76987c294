import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import ts from "typescript";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { addressOf, engineId, isRunning } from "../../../provider/hosts/engine";
import { runFile } from "../../../provider/hosts/run-file";
import type { Entry } from "../../../provider/lifecycle";

const ADDRESS = "127.0.0.1:40001";
const entry = (record: string): Entry => ({ kind: "refuses", record, anyAddress: "" });

/** A folder that goes with the test. */
function temporary(prefix: string): string {
  const made = mkdtempSync(join(tmpdir(), prefix));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}
/** Windows has neither modes of files nor links for everybody. */
const hasModes = process.platform !== "win32";

let folder: string;
let warned: string[];
beforeEach(() => {
  folder = join(temporary("run-file-"), "own");
  warned = [];
});
const open = (options: { engine?: string; address?: string } = {}) =>
  runFile(options.address ?? ADDRESS, (text) => warned.push(text), { folder, ...options });
const path = () => join(folder, readdirSync(folder)[0] ?? "");

/** What a process sees that writes an entry. */
const sees = (file = open()) => file(entry("last")).slice(0, -1);

describe("the file of a run", () => {
  test("shows all processes the same entries in one order, each once", () => {
    const [one, two] = [open(), open()];
    const [a, b, c, d] = ["a", "b", "c", "d"].map(entry) as [Entry, Entry, Entry, Entry];
    expect(one(a)).toEqual([a]);
    expect(two(b)).toEqual([a, b]);
    expect(one(c)).toEqual([b, c]);
    expect(two(d)).toEqual([c, d]);
  });

  test("is another one for another engine's address, and private", () => {
    open()(entry("a"));
    const modes = [statSync(folder).mode & 0o777, statSync(path()).mode & 0o777];
    if (hasModes) expect(modes).toEqual([0o700, 0o600]);
    expect(sees(open({ address: "127.0.0.1:40002" }))).toEqual([]);
  });

  test("counts the entries of an engine that is running, and of no earlier one at its address", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    await new Promise((resolve) => child.once("spawn", resolve));
    open({ engine: `${child.pid}` })(entry("running"));
    open({ engine: `${process.pid} an earlier start` })(entry("earlier"));
    expect(sees(open({ engine: "mine" }))).toEqual([entry("running")]);
    child.kill();
    await new Promise((resolve) => child.once("exit", resolve));
    expect(sees(open({ engine: "another" }))).toEqual([]);
  });

  test("skips a broken line with a warning that names the file, and reads on", () => {
    const one = open();
    one(entry("a"));
    writeFileSync(path(), '{"engine":"x","kind":"refu', { flag: "a" });
    open()(entry("b"));
    warned = [];
    expect(sees(one)).toEqual([entry("b")]);
    expect(warned).toEqual([`skipped a broken line of ${path()}`]);
  });

  test("leaves no file behind that nobody has written for a day", () => {
    open()(entry("a"));
    const [old] = readdirSync(folder);
    utimesSync(path(), new Date(0), new Date(0));
    open({ address: "127.0.0.1:40002" })(entry("a"));
    expect(readdirSync(folder)).not.toContain(old);
  });
});

const badFolders: [string, () => void, RegExp][] = [
  ["the folder is a file", () => writeFileSync(folder, ""), /EEXIST/],
  ["the folder is not private", () => mkdirSync(folder, { mode: 0o755 }), /not private/],
  ["the folder is a link", () => symlinkSync(temporary("theirs-"), folder), /not private/],
];
test.each(hasModes ? badFolders : badFolders.slice(0, 1))(
  "an error names the file and the way out if %s",
  (_says, make, reason) => {
    make();
    const exchange = () => open()(entry("a"));
    expect(exchange).toThrow(
      /^the run's file .* can't be used \(.*\); make room there, or set TMPDIR to a private folder, and run/,
    );
    expect(exchange).toThrow(reason);
  },
);

test.each<[string, () => void, RegExp]>([
  ["is removed during the run", () => rmSync(folder, { recursive: true }), /it was removed/],
  [
    "grows beyond its bound, which is not read",
    () => writeFileSync(path(), Buffer.alloc(65 * 1024 * 1024), { flag: "a" }),
    /has more than/,
  ],
])("an error says so if the file %s", (_says, happens, reason) => {
  const file = open();
  file(entry("a"));
  happens();
  expect(() => file(entry("b"))).toThrow(reason);
});

const SCRIPT = "pulumi-resource-pulumi-nodejs";

/** A provider that prints the engine's id. */
function provider(source: string): string {
  const script = join(temporary("wrapper-"), SCRIPT);
  const { outputText } = ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  writeFileSync(`${script}.cjs`, `${outputText}; console.log(engineId());`);
  return script;
}
const source = readFileSync("provider/hosts/engine.ts", "utf8");

test.runIf(process.platform === "linux")(
  "a machine without /proc whose ps fails prints nothing of it",
  () => {
    const script = provider(source.replace('existsSync("/proc/self/stat")', "false"));
    writeFileSync(join(dirname(script), "ps"), "#!/bin/sh\necho broken >&2\nexit 1\n", { mode: 0o755 });
    const env = { ...process.env, PATH: dirname(script) };
    const { stdout, stderr } = spawnSync(process.execPath, [`${script}.cjs`], { env, encoding: "utf8" });
    expect([stdout.trim(), stderr]).toEqual([expect.stringMatching(/^\d+/), ""]);
  },
);

test.runIf(process.platform === "linux")("a script that starts a provider is not the engine", async () => {
  const script = provider(source);
  // A shell that ends with another command stays above the provider.
  writeFileSync(script, `#!/bin/sh\n"${process.execPath}" "${script}.cjs"\nexit $?\n`, { mode: 0o755 });
  expect(execFileSync(script, { encoding: "utf8" })).toMatch(new RegExp(`^${process.pid} `));
});

test("the engine is the first process above that is no shell, and its start tells it from a later one", () => {
  const [pid, ...start] = engineId().split(" ");
  expect(Number(pid)).toBeGreaterThan(0);
  expect(isRunning(engineId())).toBe(true);
  if (start.length > 0) expect(isRunning(`${pid} another start`)).toBe(false);
});

test("the engine's address is the last argument that is one", () => {
  expect(addressOf(["--logtostderr", "127.0.0.1:1", "127.0.0.1:40001"])).toBe("127.0.0.1:40001");
  expect(addressOf(["[::1]:40001"])).toBe("[::1]:40001");
  expect(addressOf(["--tracing", "file:/x"])).toBeUndefined();
});
