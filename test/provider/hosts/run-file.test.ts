import { execFileSync, spawn } from "node:child_process";
import fs, {
  chmodSync,
  existsSync,
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
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { addressOf, isRunning, parentId } from "../../../provider/hosts/engine";
import { runFile } from "../../../provider/hosts/run-file";
import type { Entry } from "../../../provider/lifecycle";

const ADDRESS = "127.0.0.1:40001";
const entry = (urn: string): Entry => ({ event: "failed", urn });

/** A folder that goes with the test. */
function temporary(prefix: string): string {
  const made = mkdtempSync(join(tmpdir(), prefix));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}
/** Windows has neither modes of files nor links for everybody. */
const hasModes = process.platform !== "win32";

let folder: string;
beforeEach(() => {
  folder = join(temporary("run-file-"), "own");
});
const open = (options: { parent?: string; address?: string } = {}) =>
  runFile(options.address ?? ADDRESS, { folder, ...options });
/** The runs that have a file. */
const runs = () => readdirSync(folder).filter((name) => name !== "swept");
const path = () => join(folder, runs()[0] ?? "");
const hourAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
/** So old that the next run sweeps. */
const letSweep = (own = folder) => utimesSync(join(own, "swept"), hourAgo(1.1), hourAgo(1.1));

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

  test("counts the entries of a process whose parent is running, and of none of an earlier run at the engine's address", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    await new Promise((resolve) => child.once("spawn", resolve));
    open({ parent: `${child.pid}` })(entry("running"));
    open({ parent: `${process.pid} an earlier start` })(entry("earlier"));
    expect(sees(open({ parent: "mine" }))).toEqual([entry("running")]);
    child.kill();
    await new Promise((resolve) => child.once("exit", resolve));
    expect(sees(open({ parent: "another" }))).toEqual([]);
  });

  test("shows an entry of which a process has read only the first half, once the line is whole", () => {
    const one = open();
    one(entry("a"));
    const line = readFileSync(path(), "utf8").replace('"a"', '"b"');
    const begun = line.slice(0, -9);
    const { writeSync } = fs;
    const write = vi.spyOn(fs, "writeSync").mockImplementationOnce((...args) => {
      const written = Reflect.apply(writeSync, fs, args);
      writeFileSync(path(), begun, { flag: "a" });
      return written;
    });
    syncBuiltinESMExports();
    const seen = one(entry("c"));
    write.mockRestore();
    syncBuiltinESMExports();
    expect(seen).toEqual([entry("c")]);
    writeFileSync(path(), line.slice(begun.length), { flag: "a" });
    expect(one(entry("d"))).toEqual([entry("b"), entry("d")]);
  });

  test("can't be used by anybody who reads a line that was only partly written", () => {
    const one = open();
    one(entry("a"));
    writeFileSync(path(), '{"parent":"x","event":"fai', { flag: "a" });
    for (const each of [open(), one])
      expect(() => each(entry("b"))).toThrow(
        /^the temporary file .* can't be used \(.*JSON.*\)\. Free disk space/,
      );
  });

  test("sweeps the files of other versions, since all versions have one folder", () => {
    const home = temporary("home-");
    vi.stubEnv("TMPDIR", home);
    onTestFinished(() => void vi.unstubAllEnvs());
    runFile(ADDRESS)(entry("a"));
    const [own = "", ...others] = readdirSync(home);
    // No version is in its name.
    expect([own, others]).toEqual([expect.stringMatching(/^pulumi-tracking-[^-]+$/), []]);
    const old = join(home, own, "of-another-version");
    writeFileSync(old, "");
    utimesSync(old, new Date(0), new Date(0));
    letSweep(join(home, own));
    runFile("127.0.0.1:40002")(entry("a"));
    expect(readdirSync(join(home, own))).not.toContain("of-another-version");
  });

  test("leaves no file behind that nobody has written for a day, and each one of a run that only waits", () => {
    const waiting = open();
    waiting(entry("a"));
    utimesSync(path(), hourAgo(23), hourAgo(23));
    const [kept] = runs();
    letSweep();
    open({ address: "127.0.0.1:40002" })(entry("a"));
    expect(waiting(entry("b"))).toEqual([entry("b")]);
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), hourAgo(25), hourAgo(25));
    open({ address: "127.0.0.1:40003" })(entry("a"));
    expect(runs()).toHaveLength(1);
    expect(runs()).not.toContain(kept);
  });

  test("looks at the files of other runs once an hour, however many there are", () => {
    open()(entry("a"));
    const files = Array.from({ length: 100 }, (_, at) => `ended-${at}`);
    for (const name of files) writeFileSync(join(folder, name), "");
    for (const name of files) utimesSync(join(folder, name), hourAgo(25), hourAgo(25));
    const read = vi.spyOn(fs, "readdirSync");
    const stat = vi.spyOn(fs, "statSync");
    syncBuiltinESMExports();
    onTestFinished(() => {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    });
    open({ address: "127.0.0.1:40002" })(entry("b"));
    expect([read.mock.calls.length, stat.mock.calls.length]).toEqual([0, 1]);
    expect(runs()).toEqual(expect.arrayContaining(files));
    letSweep();
    open({ address: "127.0.0.1:40003" })(entry("c"));
    expect(runs()).toHaveLength(3);
  });

  test("stays if another process makes it just after a sweep has not found it", () => {
    open()(entry("a"));
    const [made = ""] = runs();
    letSweep();
    const { statSync: stat } = fs;
    const spy = vi.spyOn(fs, "statSync").mockImplementation((...args) => {
      return String(args[0]).endsWith(made) ? undefined : Reflect.apply(stat, fs, args);
    });
    syncBuiltinESMExports();
    onTestFinished(() => {
      spy.mockRestore();
      syncBuiltinESMExports();
    });
    open({ address: "127.0.0.1:40002" })(entry("b"));
    expect(spy).toHaveBeenCalledWith(join(folder, made), expect.anything());
    expect(runs()).toContain(made);
  });
});

const badFolders: [string, () => void, RegExp][] = [
  ["the folder is a file", () => writeFileSync(folder, ""), /EEXIST/],
  ["the folder is not private", () => mkdirSync(folder, { mode: 0o755 }), /not private/],
  [
    "a group can write to the folder",
    () => {
      mkdirSync(folder);
      chmodSync(folder, 0o770);
    },
    /not private/,
  ],
  ["the folder is a link", () => symlinkSync(temporary("theirs-"), folder), /not private/],
];
test.each(hasModes ? badFolders : badFolders.slice(0, 1))(
  "an error names the file and the way out if %s",
  (_says, make, reason) => {
    make();
    const exchange = () => open()(entry("a"));
    expect(exchange).toThrow(
      /^the temporary file .* can't be used \(.*\)\. Free disk space, or set TMPDIR to a folder that only you can write to, and run/,
    );
    expect(exchange).toThrow(reason);
  },
);

test.skipIf(!hasModes)(
  "an error says so if the folder is another user's, or a link where there are no users",
  () => {
    mkdirSync(folder, { mode: 0o700 });
    const { uid } = statSync(folder);
    const getuid = vi.spyOn(process, "getuid").mockReturnValue(uid + 1);
    onTestFinished(() => getuid.mockRestore());
    expect(() => open()(entry("a"))).toThrow(/not private to this user/);
    const link = join(temporary("run-link-"), "own");
    symlinkSync(folder, link);
    // As on Windows.
    getuid.mockReturnValue(undefined as never);
    expect(() => runFile(ADDRESS, { folder: link })(entry("a"))).toThrow(/not private to this user/);
  },
);

test("an error says so if the disk has room for a part of a line", () => {
  const write = vi.spyOn(fs, "writeSync").mockReturnValueOnce(3);
  syncBuiltinESMExports();
  const exchange = () => open()(entry("a"));
  onTestFinished(() => {
    write.mockRestore();
    syncBuiltinESMExports();
  });
  expect(exchange).toThrow(/a line was only partly written/);
});

test("an error says so if the file is removed during the run", () => {
  const file = open();
  file(entry("a"));
  rmSync(folder, { recursive: true });
  expect(() => file(entry("b"))).toThrow(/it was removed/);
});

test("a process and a later one with its id are distinguished by their start", () => {
  const [pid, ...start] = parentId().split(" ");
  expect(Number(pid)).toBe(process.ppid);
  expect(isRunning(parentId())).toBe(true);
  // Windows does not say when a process started.
  expect(start.length > 0).toBe(hasModes);
  if (hasModes) expect(isRunning(`${pid} another start`)).toBe(false);
});

test.skipIf(!existsSync("/proc/uptime"))("a process's start is the time that `ps` shows for it", () => {
  const [pid = "", start] = parentId().split(" ");
  const uptime = Number.parseFloat(readFileSync("/proc/uptime", "utf8"));
  const ticks = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  const age = Number(execFileSync("ps", ["-o", "etimes=", "-p", pid], { encoding: "utf8" }));
  expect(Math.abs(uptime - Number(start) / ticks - age)).toBeLessThan(5);
});

test.each([
  ["belongs to another user", "EPERM", true],
  ["has ended", "ESRCH", false],
])("a process that %s is told by the system's answer to a signal", (_what, code, expected) => {
  const kill = vi.spyOn(process, "kill").mockImplementation(() => {
    throw Object.assign(new Error(code), { code });
  });
  onTestFinished(() => kill.mockRestore());
  expect(isRunning("4321")).toBe(expected);
});

test("the engine's address is the last argument that is one", () => {
  expect(addressOf(["--logtostderr", "127.0.0.1:1", "127.0.0.1:40001"])).toBe("127.0.0.1:40001");
  expect(addressOf(["[::1]:40001"])).toBe("[::1]:40001");
  expect(addressOf(["--tracing", "file:/x"])).toBeUndefined();
});
