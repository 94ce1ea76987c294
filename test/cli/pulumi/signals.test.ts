import { once } from "node:events";
import { renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { tokenOf } from "../../../provider/hosts/dynamic/code";
import { website } from "../../../provider/resources";
import { listening } from "../../listening";
import { account } from "../doctor/harness";
import { type Played, played } from "../played";
import { running } from "../run-command";

/** Waits for signals in a loop, because a shell handles none while another program runs. */
const WAIT = "until [ -e over ] || ! [ -e calls ]; do sleep 0.02; done";
/** Notes each signal that it gets, and ends at one of them. */
const engine = (onInt: string, onTerm: string) =>
  `trap 'echo INT >> calls; ${onInt}' INT; trap 'echo TERM >> calls; ${onTerm}' TERM; echo runs >> calls; ${WAIT}`;

const type = tokenOf(website);
/** A program that declares a website which the stack lacks, as a preview shows it. */
const declared = { urn: `urn:pulumi:dev::shop::${type}::a`, type, inputs: { domain: "a.example" } };
const steps = JSON.stringify({ steps: [{ op: "create", urn: declared.urn, newState: declared }] });
const importFile = JSON.stringify({ resources: [{ type, name: "a", id: "<PLACEHOLDER>" }] });
const preview = `echo '${importFile}' > "$file"; echo '${steps}'`;

/** The npm package `pulumi`: it starts the command, and a signal ends it at once. */
const WRAPPER = `#!${process.execPath}
const child = require("child_process").spawn(__dirname + "/engine", process.argv.slice(2), { stdio: "inherit" });
child.on("exit", (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code)));
`;

/** Starts a command in a project; its process only notes the signal by which it would end. */
async function interrupted(args: readonly string[], answers: Played, { isWrapped = false } = {}) {
  const { config } = await account({ seed: { websites: [{ domain: "a.example" }] } });
  const project = played(
    { version: "echo v3.258.0", config, "stack export": {}, preview, ...answers },
    { "Pulumi.yaml": "name: shop\nruntime: nodejs\n", "index.ts": "" },
  );
  if (isWrapped) {
    renameSync(join(project.folder, "pulumi"), join(project.folder, "engine"));
    writeFileSync(join(project.folder, "pulumi"), WRAPPER, { mode: 0o755 });
  }
  const { kill: send } = process;
  const kill = vi.fn((_signal: string | number | undefined): true => true);
  const spy = vi.spyOn(process, "kill").mockImplementation((pid, signal) => {
    return pid === process.pid ? kill(signal) : send.call(process, pid, signal);
  });
  onTestFinished(() => spy.mockRestore());
  /** The engine comes to its end. */
  const finish = () => writeFileSync(join(project.folder, "over"), "");
  // What a test leaves behind would not end.
  onTestFinished(finish);
  const { words, status } = running(...args);
  const ended = status.catch(() => {});
  const signals = () => project.calls().filter((each) => /^(runs|INT|TERM|ended)$/.test(each));
  const until = (lines: string[]) => vi.waitFor(() => expect(signals()).toEqual(lines), { timeout: 30_000 });
  const signal = (name: NodeJS.Signals) => void process.emit(name, name);
  return { words, ended, signals, until, send: signal, kill, finish };
}

describe.skipIf(process.platform === "win32")("a command that is interrupted", () => {
  test.each([
    { says: "it may come by itself", onInt: "", onTerm: "", gets: [] },
    { says: "a second asks it to end", onInt: "exit 255", onTerm: "", gets: ["INT"] },
    { says: "a third asks it to end at once", onInt: "", onTerm: "exit 255", gets: ["INT", "TERM"] },
    { says: "a fourth kills it", onInt: "", onTerm: "", gets: ["INT", "TERM"], kills: true },
  ])(
    "waits for the end of the engine's import at the first signal; $says",
    async ({ onInt, onTerm, gets, kills }) => {
      const args = ["import", "--apply", "--match", "*.example"];
      const { words, ended, until, send, kill, ...started } = await interrupted(args, {
        "import ": engine(onInt, onTerm),
      });
      await until(["runs"]);
      send("SIGHUP");
      expect(words.out).toContain("Waiting for the end of pulumi import; interrupt again");
      expect(kill).not.toHaveBeenCalled();
      for (const [at] of gets.entries()) {
        send("SIGINT");
        await until(["runs", ...gets.slice(0, at + 1)]);
      }
      if (kills) send("SIGTERM");
      if (gets.length === 0) started.finish();
      await ended;
      expect(started.signals()).toEqual(["runs", ...gets]);
      expect(kill.mock.calls).toEqual([["SIGHUP"]]);
      // If it left the stack locked, the command that continues says so, and names "pulumi cancel".
      const again = "To continue, run: npx pulumi-tracking import --apply --match '*.example'";
      expect(words.out.split("\n").at(-2)).toBe(`Interrupted. ${again}`);
    },
  );

  test.each([
    { args: ["doctor"], runs: "stack", signals: 1 },
    // An import waits at the first.
    { args: ["import", "--apply"], runs: "import ", signals: 2 },
  ])(
    "behind a wrapper of pulumi that has no handlers, as $args wait, reaches the engine and waits for its end",
    async ({ args, runs, signals }) => {
      const end = "sleep 0.3; echo ended >> calls; exit 255";
      const started = await interrupted(args, { [runs]: engine(end, end) }, { isWrapped: true });
      await started.until(["runs"]);
      for (let count = 0; count < signals; count += 1) started.send("SIGINT");
      await started.ended;
      expect(started.signals()).toEqual(["runs", "INT", "ended"]);
      expect(started.kill.mock.calls).toEqual([["SIGINT"]]);
    },
  );

  test("just as the engine's import is spawned, which the signal ends before this process gets it, says so likewise", async () => {
    const { words, ended, kill } = await interrupted(["import", "--apply"], { "import ": "kill -INT $$" });
    await ended;
    expect(kill.mock.calls).toEqual([["SIGINT"]]);
    expect(words.out.split("\n").at(-2)).toBe(
      "Interrupted. To continue, run: npx pulumi-tracking import --apply",
    );
    expect(words.error).not.toContain("no reason given");
  });

  test("as the doctor waits for the engine, and says that it changed nothing", async () => {
    const stack = engine("sleep 0.2; echo ended >> calls; exit 0", ":");
    const { words, ended, until, send, kill } = await interrupted(["doctor"], { stack });
    await until(["runs"]);
    send("SIGTERM");
    await until(["runs", "INT", "ended"]);
    await ended;
    expect(kill.mock.calls).toEqual([["SIGTERM"]]);
    expect(words).toEqual({
      out: "",
      error: 'Interrupted; nothing was changed. Run "npx pulumi-tracking doctor" again.\n',
    });
  });

  test("as a doctor that waits for a service ends at once", async () => {
    const server = createServer();
    const asked = once(server, "request");
    vi.stubEnv("TRACKING_API_KEY", "key");
    vi.stubEnv("TRACKING_DATA_BASE_URL", `http://127.0.0.1:${await listening(server)}`);
    const none = "echo 'error: no stack selected' >&2; exit 255";
    const { words, ended, send, kill } = await interrupted(["doctor"], { stack: none });
    const [, answer] = await asked;
    send("SIGINT");
    expect(kill.mock.calls).toEqual([["SIGINT"]]);
    expect(words.error).toMatch(/^Interrupted; nothing was changed/m);
    answer.writeHead(401).end();
    await ended;
  });
});
