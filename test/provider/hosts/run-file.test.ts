import { spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { addressOf, engineId, isRunning } from "../../../provider/hosts/engine";
import { runFile } from "../../../provider/hosts/run-file";
import type { Entry } from "../../../provider/lifecycle";

const ADDRESS = "127.0.0.1:40001";
const CANT =
  /^the run's file \/.* can't be used \(.*\); make room there, or set TMPDIR to a private folder, and run/;
const entry = (key: string): Entry => ({ kind: "refuses", key });

let folder: string;
let warned: string[];
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "run-file-")), "own");
  warned = [];
});
const open = (options: { engine?: string; address?: string } = {}) =>
  runFile(options.address ?? ADDRESS, (text) => warned.push(text), { folder, ...options });
const path = () => join(folder, readdirSync(folder)[0] ?? "");

describe("the file of a run", () => {
  test("shows all processes the same entries in one order, each once", () => {
    const [one, two] = [open(), open()];
    one.append(entry("a"));
    two.append(entry("b"));
    one.append(entry("c"));
    const all = ["a", "b", "c"].map(entry);
    expect([one.read(), two.read()]).toEqual([all, all]);
    expect([one.read(), two.read()]).toEqual([[], []]);
    two.append(entry("d"));
    expect([one.read(), two.read()]).toEqual([[entry("d")], [entry("d")]]);
  });

  test("is another one for another engine's address, and private", () => {
    open().append(entry("a"));
    expect(open({ address: "127.0.0.1:40002" }).read()).toEqual([]);
    expect([statSync(folder).mode & 0o777, statSync(path()).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  test("counts the entries of an engine that is running, and of no earlier one at its address", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    await new Promise((resolve) => child.once("spawn", resolve));
    open({ engine: `${child.pid}` }).append(entry("running"));
    open({ engine: `${process.pid} an earlier start` }).append(entry("earlier"));
    expect(open({ engine: "mine" }).read()).toEqual([entry("running")]);
    child.kill();
    await new Promise((resolve) => child.once("exit", resolve));
    expect(open({ engine: "mine" }).read()).toEqual([]);
  });

  test("skips a broken line with a warning that names the file, and reads on", () => {
    const one = open();
    one.append(entry("a"));
    writeFileSync(path(), '{"engine":"x","is":"refu', { flag: "a" });
    const two = open();
    two.append(entry("b"));
    expect(one.read()).toEqual(["a", "b"].map(entry));
    expect(warned).toEqual([`skipped a broken line of ${path()}`]);
  });

  test("leaves no file behind that nobody has written for a day", () => {
    open().append(entry("a"));
    const [old] = readdirSync(folder);
    utimesSync(path(), new Date(0), new Date(0));
    open({ address: "127.0.0.1:40002" }).read();
    expect(readdirSync(folder)).not.toContain(old);
  });
});

describe("an error names the file and the way out", () => {
  test.each<[string, () => void]>([
    ["the folder is not private", () => mkdirSync(folder, { mode: 0o755 })],
    ["the folder is a link", () => symlinkSync(mkdtempSync(join(tmpdir(), "theirs-")), folder)],
    ["the folder is a file", () => writeFileSync(folder, "")],
  ])("if %s", (_says, make) => {
    make();
    expect(() => open().append(entry("a"))).toThrow(CANT);
    expect(() => open().read()).toThrow(CANT);
  });

  test("if the file is removed during the run", () => {
    const file = open();
    file.append(entry("a"));
    rmSync(folder, { recursive: true });
    expect(() => file.read()).toThrow(/it was removed/);
  });

  test("if the file grows beyond its bound, which is not read", () => {
    const file = open();
    file.append(entry("a"));
    writeFileSync(path(), Buffer.alloc(65 * 1024 * 1024), { flag: "a" });
    expect(() => file.read()).toThrow(/has more than/);
  });
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
