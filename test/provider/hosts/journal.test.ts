import { fork } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { ownJournal, runJournal } from "../../../provider/hosts/journal";

vi.mock("node:os", async (original) => {
  const os = await original<typeof import("node:os")>();
  return { ...os, userInfo: vi.fn(os.userInfo) };
});

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-journal-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});
const ended = (token: string) => ({ is: "ended", token }) as const;
const tokens = (entries: readonly { event: object }[]) =>
  entries.map(({ event }) => Reflect.get(event, "token"));

describe("a run's journal", () => {
  test("gives everyone all events in one order, each once", () => {
    const [one, two] = [runJournal("127.0.0.1:1", folder), runJournal("127.0.0.1:1", folder)];
    one.append(ended("a"));
    two.append(ended("b"));
    expect(tokens(one.read())).toEqual(["a", "b"]);
    one.append(ended("ö"));
    expect(tokens(two.read())).toEqual(["a", "b", "ö"]);
    expect([tokens(one.read()), tokens(two.read())]).toEqual([["ö"], []]);
  });

  test("is another one for another engine", () => {
    runJournal("127.0.0.1:1", folder).append(ended("a"));
    expect(runJournal("127.0.0.1:2", folder).read()).toEqual([]);
  });

  test("waits with a line until all of it is there", async () => {
    const journal = runJournal("127.0.0.1:1", folder);
    const [name = ""] = await readdir(folder);
    await writeFile(join(folder, name), '{"event":{"is":"hurry"},', { flag: "a" });
    expect(journal.read()).toEqual([]);
    await writeFile(join(folder, name), '"writer":"1"}\n', { flag: "a" });
    expect(journal.read()).toEqual([{ event: { is: "hurry" }, writer: "1" }]);
  });

  test("wakes who waits as soon as there is something to read, and else after a silence", async () => {
    const [one, two] = [runJournal("127.0.0.1:1", folder), runJournal("127.0.0.1:1", folder)];
    const changed = one.changed(60_000);
    two.append(ended("a"));
    expect(await changed).toBe(true);
    one.read();
    expect(await one.changed(30)).toBe(false);
  });

  test("wakes everyone who waits in one process, also where another of them has read the news", async () => {
    const journal = runJournal("127.0.0.1:1", folder);
    const changed = journal.changed(60_000);
    journal.append(ended("a"));
    journal.read();
    expect(await changed).toBe(true);
    expect(await journal.changed(30)).toBe(false);
  });

  test("is kept also for a user that has no name", async () => {
    vi.mocked(userInfo).mockImplementation(() => {
      throw new Error("uv_os_get_passwd returned ENOENT");
    });
    onTestFinished(() => void vi.mocked(userInfo).mockReset());
    vi.stubEnv("TMPDIR", folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    runJournal("127.0.0.1:1").append(ended("a"));
    expect(tokens(runJournal("127.0.0.1:1").read())).toEqual(["a"]);
  });

  test("counts what was told while its writer lives, or the writer's parent", async () => {
    const journal = runJournal("127.0.0.1:1", folder);
    const child = fork("-e", [], { execArgv: ["-e", ""], stdio: "ignore" });
    await once(child, "exit");
    expect(journal.isAlive(journal.writer)).toBe(true);
    expect(journal.isAlive(`${child.pid} ${process.pid}`)).toBe(true);
    expect(journal.isAlive(`${child.pid} ${child.pid}`)).toBe(false);
  });

  test("keeps the order of processes that write at once, and loses nothing", async () => {
    const journal = runJournal("127.0.0.1:1", folder);
    const [name = ""] = await readdir(folder);
    const write = `for (let at = 0; at < 500; at += 1) require("node:fs").appendFileSync(process.argv[1], JSON.stringify({ event: { is: "ended", token: process.argv[2] + at }, writer: "w".repeat(99) }) + "\\n")`;
    const children = ["a", "b", "c"].map((each) =>
      fork(join(folder, name), [each], { execArgv: ["-e", write], stdio: "ignore" }),
    );
    await Promise.all(children.map((child) => once(child, "exit")));
    const all = tokens(journal.read()).map(String);
    expect(all).toHaveLength(1500);
    for (const each of ["a", "b", "c"])
      expect(all.filter((token) => token.startsWith(each))).toEqual(
        Array.from({ length: 500 }, (_, at) => `${each}${at}`),
      );
  });

  test("is removed a day after it was last written", async () => {
    runJournal("127.0.0.1:1", folder).append(ended("a"));
    const [name = ""] = await readdir(folder);
    const old = new Date(Date.now() - 25 * 3600 * 1000);
    await utimes(join(folder, name), old, old);
    runJournal("127.0.0.1:2", folder);
    expect(await readdir(folder)).not.toContain(name);
  });

  test("is not kept in a folder that others may write in", async () => {
    expect(() => runJournal("127.0.0.1:1", join(folder, "not-there"))).toThrow();
    await chmod(folder, 0o777);
    expect(() => runJournal("127.0.0.1:1", folder)).toThrow("is not a folder of this user alone");
  });
});

test("the journal of one process gives each event once, and wakes who waits", async () => {
  const journal = ownJournal();
  journal.append(ended("a"));
  expect([tokens(journal.read()), tokens(journal.read())]).toEqual([["a"], []]);
  expect(await journal.changed(30)).toBe(false);
  const changed = journal.changed(60_000);
  journal.append(ended("b"));
  journal.read();
  expect(await changed).toBe(true);
  expect(journal.isAlive(journal.writer)).toBe(true);
});
