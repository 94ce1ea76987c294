import { expect, onTestFinished, test, vi } from "vitest";
import type { IsFresh } from "../../../provider/api/api";
import { shareList } from "../../../provider/records/recheck";
import type { Snapshot } from "../../../provider/records/snapshot";
import { upTo } from "../sites";
import { ids, listService, record } from "./list-service";

const byId = (id: string) => (list: Snapshot) => list.byId.get(id);

test("up to four records are looked for again by their own requests, and more in one list", async () => {
  const { records, lines } = listService(ids(9));
  const again = (id: string) => records.recheck(byId(id), () => records.fetchById(id));
  expect(await Promise.all(["1", "2", "3", "4"].map(again))).toEqual(
    ["1", "2", "3", "4"].map((id) => record(id)),
  );
  expect(lines()).toEqual(["1", "2", "3", "4"]);
  // All at the same moment.
  vi.spyOn(performance, "now").mockReturnValue(1000);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await Promise.all(ids(9).map(again))).toEqual(ids(9).map((id) => record(id)));
  expect(lines().slice(4)).toEqual(["1", "2", "3", "4", "list"]);
});

test("a list counts only for those that asked before it was asked for", async () => {
  const asked: IsFresh[] = [];
  const { promise, resolve } = Promise.withResolvers<Snapshot>();
  const recheck = shareList((isFresh) => {
    asked.push(isFresh);
    return promise;
  });
  const now = vi.spyOn(performance, "now").mockReturnValue(1000);
  const all = upTo(5).map(() => recheck(byId("1"), async () => record("1")));
  now.mockReturnValue(2000);
  all.push(recheck(byId("1"), async () => record("1")));
  now.mockRestore();
  const counts = (askedAt: number) => asked.map((isFresh) => isFresh({ askedAt, answeredAt: 9000 }));
  expect(counts(999)).toEqual([false, false]);
  expect(counts(1000)).toEqual([true, false]);
  expect(counts(2000)).toEqual([true, true]);
  resolve({ byId: new Map([["1", record("1", 7)]]) } as Partial<Snapshot> as Snapshot);
  expect((await Promise.all(all)).slice(4)).toEqual([record("1", 7), record("1", 7)]);
});

test.each<[string, () => Promise<Snapshot>]>([
  ["fails", () => Promise.reject(new Error("no answer"))],
  ["does not show it", async () => ({ byId: new Map() }) as Partial<Snapshot> as Snapshot],
])("a record is looked for alone if the list %s", async (_, read) => {
  const recheck = shareList(read);
  const alone = vi.fn(async () => record("1"));
  const all = upTo(6).map(() => recheck(byId("1"), alone));
  expect(await Promise.all(all)).toEqual(upTo(6).map(() => record("1")));
  expect(alone).toHaveBeenCalledTimes(6);
});
