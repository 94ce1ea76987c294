import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { dialectNames, marketDialectNames, service, websites } from "../../service";
import { ran, running } from "../run-command";

async function file(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "emulator-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "seed.json");
  await writeFile(path, text);
  return path;
}

/** Starts the command, which ends with the test; gives what it announces, and the address in that. */
async function started(...args: string[]): Promise<{ url: string; out: string }> {
  const others = process.listenerCount("SIGTERM");
  const { words, status } = running("emulator", ...args);
  onTestFinished(async () => {
    expect(process.listenerCount("SIGTERM"), "who ends at SIGTERM").toBeGreaterThan(others);
    process.emit("SIGTERM", "SIGTERM");
    expect(await status).toBe(0);
  });
  const url = await vi.waitFor(() => {
    const [, address] = /listens at (\S+) /.exec(words.out) ?? [];
    if (address === undefined) throw new Error(`no address in ${words.out}`);
    return address;
  }, 60_000);
  return { url, out: words.out };
}

test("an emulator starts as its options say, and names every line to point a program at it", async () => {
  const seed = await file('{"websites":[{"domain":"a.example"}]}');
  const options = ["--dialect", "bare, loose", "--api-key", "it's", "--seed", seed];
  const { url, out } = await started(...options);
  const get = (path: string) =>
    fetch(url + path, { headers: { Authorization: "Bearer it's", Accept: "application/json" } });
  expect(await (await get(websites)).json()).toMatchObject([{ domain: "a.example" }]);
  expect(await (await get("/api/account/details?api_key=it's")).json()).toMatchObject({ balance: "128.5" });
  for (const line of [
    "pulumi config set --secret tracking:apiKey 'it'\\''s'",
    `pulumi config set tracking:analyticsBaseUrl ${url}`,
    "export TRACKING_API_KEY='it'\\''s'",
    `export TRACKING_MARKET_BASE_URL=${url}`,
  ])
    expect(out).toContain(`  ${line}\n`);
});

test("an emulator behind a front server demands its headers, and names the lines that give them", async () => {
  const { url, out } = await started("--headers", '{"X-Team":"it\'s"}');
  const headers = { Authorization: "Bearer local-key", Accept: "application/json" };
  const ask = async (more = {}) => {
    const answer = await fetch(url + websites, { redirect: "manual", headers: { ...headers, ...more } });
    return [answer.status, answer.headers.get("location")];
  };
  expect([await ask(), await ask({ "x-team": "it's" })]).toEqual([
    [302, `${url}/login`],
    [200, null],
  ]);
  for (const line of [
    `pulumi config set --secret tracking:headers '{"X-Team":"it'\\''s"}'`,
    `export TRACKING_HEADERS='{"X-Team":"it'\\''s"}'`,
  ])
    expect(out).toContain(`  ${line}\n`);
});

test.each([
  [["--headers", '{"Host":"a"}'], "Give headers without Host"],
  [["--dialect", "klingon"], "Give one of reference, spec, bare"],
  [["--dialect", "spec,bare"], "Give one of reference, spec, bare"],
  [["--seed", "/nowhere.json"], "ENOENT"],
  [["--seed", join(__dirname, "../../../package.json")], "package.json"],
  [["--port", "65536"], "Give a whole number from 0 to 65535"],
  [["--port", "web"], "Give a whole number from 0 to 65535"],
  [["--prot", "1"], "unknown option '--prot'"],
])("%j ends with status 2, and one line with the cause", async (args, cause) => {
  const { status, out, error } = await ran("emulator", ...args);
  expect([status, out]).toEqual([2, ""]);
  expect(error).toMatch(/^error: [^\n]+\n$/);
  expect(error).toContain(cause);
});

test("a port that is taken is named, with the way out", async () => {
  const { port } = new URL((await service()).url);
  const { status, error } = await ran("emulator", "--port", port);
  expect(status).toBe(1);
  expect(error).toContain(`The emulator can't start on port ${port}: `);
  expect(error).toContain("Choose another with --port, or omit it for any free one.");
});

test("help fits a screen, and shows every dialect, a seed that can be used, the exit codes and an example", async () => {
  const { status, out } = await ran("emulator", "--help");
  expect([status, out.split("\n").length <= 25]).toEqual([0, true]);
  for (const name of [...dialectNames, ...marketDialectNames, "Exit codes", "Example"])
    expect(out).toContain(name);
  const { url } = await started(
    "--seed",
    await file(out.split("\n").find((line) => /^ {2}\{/.test(line)) ?? ""),
  );
  const headers = { Authorization: "Bearer local-key", Accept: "application/json" };
  const shown = await (await fetch(url + websites, { headers })).json();
  expect(shown).toMatchObject({ data: [{ domain: "shop.example" }] });
});
