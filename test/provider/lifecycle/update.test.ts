import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type PartialFailure, remove, update } from "../../../provider/lifecycle";
import { pixel, website } from "../../../provider/resources";
import { creationEntry } from "../../../provider/schema/identity";
import { rejection } from "../../rejection";
import { type FaultReply, page } from "../../service";
import { problem, world, writes } from "../harness";
import { methods, path, row, state, withWebsite } from "../shop";
import { site, stateOf, upTo } from "../sites";

const news = { ...state, privacy: "public" };
const tag = (name: string) => ({ name, value: "1", type: "bing" });
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

/** Stops the time, until the test lets it pass. */
function stopTime(): void {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
}

describe("update", () => {
  test("rests on no list that is older than ten seconds, and many share the one that is read again", async () => {
    stopTime();
    const many = upTo(4).map(site);
    const here = await world({ seed: { websites: many } });
    const change = (id: number) =>
      update(here.at, `${id}`, stateOf(id), { ...stateOf(id), privacy: "public" });
    await change(1);
    here.store.edit("4", { domain: "theirs.example" });
    vi.advanceTimersByTime(10_001);
    const [last] = await Promise.all([problem(change(4)), change(2), change(3)]);
    expect(last).toContain('on the service now: "theirs.example"');
    expect(here.store.rows().map(({ privacy }) => privacy)).toEqual([0, 0, 0, 1]);
    expect(here.store.sent("GET").map((entry) => entry.path)).toEqual([
      website.path,
      website.path,
      `${website.path}/4`,
    ]);
  });

  test("that can't see whether the record is still there writes nothing", async () => {
    const here = await withWebsite();
    here.control.addFault({ match: { times: 0 }, reply: { status: 403, body: {} } });
    expect(await problem(update(here.at, "7", state, news))).toContain("(id 7)");
    expect(await problem(remove(here.at, "7", state))).toContain("(id 7) can't be deleted");
    expect(methods(here)).toEqual([]);
  });

  test("of a record that is gone asks first whether this is the right account", async () => {
    const { at } = await world();
    expect(await problem(update(at, "7", state, news))).toMatch(
      / \(id 7\) is gone from the service, so nothing was changed\. First check \S+ and \S+: is this the right account\? If it is, run "pulumi up --refresh", which creates it again$/,
    );
  });

  test("sends only what the program changes, also if it says adopt", async () => {
    const here = await world({ seed: { websites: [{ ...row, email: 1 }] } });
    await update(here.at, "7", { ...state, adopt: true }, { ...news, adopt: true });
    expect(here.store.sent("PUT").map(({ form }) => form)).toEqual([{ privacy: "0" }]);
  });

  test("of a website to privacy password sends no empty password", async () => {
    const here = await withWebsite();
    await update(here.at, "7", { ...state, password: "p" }, { ...state, privacy: "password" });
    expect(here.store.sent("PUT").map(({ form }) => form)).toEqual([{ privacy: "2" }]);
  });

  test("that a killed run has sent is done by the next one, and refused where state has noted no time", async () => {
    const [olds, news] = [tag("GA"), { ...tag("GB"), type: "quora" }];
    const created_at = "2024-01-01T00:00:00.000000Z";
    const seed = { pixels: [{ id: 3, ...tag("GB"), created_at }] };
    const { at, control, later } = await world({ seed }, pixel);
    expect(await problem(update(at, "3", olds, news))).toMatch(
      /"GA" \(id 3\) is another record on the service now: "GB", .* First check /,
    );
    const noted = { ...olds, ...creationEntry({}, { createdAt: created_at }) };
    expect(await update(later(), "3", noted, news)).toMatchObject(news);
    // The service might call the name taken, by this very record.
    expect(writes({ control })).toEqual([["PUT", { type: "quora" }]]);
    expect(control.pixels()).toMatchObject([{ id: 3, ...news }]);
  });

  test("that gives a pixel the name of another one is refused by the service, and changes nothing", async () => {
    const pixels = [3, 4].map((id) => ({ id, name: `P-${id}`, value: `${id}`, type: "bing" }));
    const { at, control } = await world({ seed: { pixels } }, pixel);
    const olds = { name: "P-3", value: "3", type: "bing" };
    expect(await problem(update(at, "3", olds, { ...olds, name: "P-4" }))).toMatch(
      /^pixel "P-3" \(id 3\) can't be updated \(name\): .*taken/,
    );
    expect(control.pixels()).toMatchObject([{ name: "P-3" }, { name: "P-4" }]);
  });

  test("that can't be read back leaves in state what it was to change, and a list that it was to empty", async () => {
    const data = { ...row, exclude_ips: "192.0.2.7" };
    const olds = { ...state, excludeIps: ["192.0.2.7"] };
    const here = await world({ seed: { websites: [data] } });
    const reply = { body: { data } } as FaultReply;
    here.control.addFault({ match: { method: "PUT" }, commit: "before", reply });
    here.control.addFault({
      match: { path, method: "GET", times: 0 },
      reply: page(500),
    });
    const error = await rejection(update(here.at, "7", olds, news));
    expect(error.message).toMatch(
      /was written, but could not be read back: .*\. Run the same command again, which sends it once more$/,
    );
    expect((error as PartialFailure).state).toEqual(olds);
  });

  test.each(["before", "never"] as const)(
    "of a name that can't be read back leaves the old one in state, so that the next run sends it again (commit: %s)",
    async (commit) => {
      const created_at = "2024-01-01T00:00:00.000000Z";
      const { at, control, later } = await world(
        { seed: { pixels: [{ id: 3, ...tag("GA"), created_at }] } },
        pixel,
      );
      const olds = { ...tag("GA"), ...creationEntry({}, { createdAt: created_at }) };
      const wanted = { ...tag("GB"), type: "quora" };
      control.addFault({ match: { method: "PUT" }, commit, reply: page() });
      control.addFault({ match: { method: "GET", path: `${pixel.path}/3`, times: 0 }, reply: page(500) });
      const { id, state } = (await rejection(update(at, "3", olds, wanted))) as PartialFailure;
      expect(state).toEqual(olds);
      control.clearFaults();
      expect(await update(later(), id, state, wanted)).toMatchObject(wanted);
      expect(control.pixels()).toMatchObject([{ id: 3, ...wanted }]);
    },
  );
});
