import { describe, expect, test, vi } from "vitest";
import { type Api, ApiError, type Request } from "../../../provider/api/api";
import { RecordReader } from "../../../provider/records/reader";
import { website } from "../../../provider/resources";
import { rejection } from "../../rejection";
import { ids, listService, record, thing } from "./list-service";

const { path } = website;

test("a record has an id that stays within its path", async () => {
  const seen: Request[] = [];
  const api: Api = async (request) => {
    seen.push(request);
    return { status: 200, body: { data: {} } };
  };
  await new RecordReader(api, website).fetchById("../../login?x=1#y");
  expect(seen[0]?.path).toBe(`${path}/..%2F..%2Flogin%3Fx%3D1%23y`);
});

test("a record is the one that was asked for, even where a service finds 10 under 010", async () => {
  const api: Api = async () => ({ status: 200, body: { data: { id: 10, domain: "other.example" } } });
  for (const id of ["010", "10abc"]) {
    const error = await rejection(new RecordReader(api, website).fetchById(id));
    expect(error.message).toContain(
      `the service answered with the record 10 instead of ${id} - give the id 10`,
    );
  }
});

/** A service that does not find the record 2 by itself. */
function denying(...manner: Parameters<typeof listService>) {
  const listed = listService(...manner);
  let held: Promise<void> | undefined;
  const api: Api = async (request) => {
    const answer = await listed.api(request);
    if (request.path === thing.path) await held;
    if (request.path.endsWith("/2")) throw new ApiError(request, "missing", "gone", { status: 404 });
    return answer;
  };
  /** From now on, lists arrive as they were, once they are released. */
  const hold = () => {
    let release = () => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    return () => release();
  };
  return { ...listed, hold, records: new RecordReader(api, thing) };
}
describe("a record that is not found, and that the list shows", () => {
  test("is an error: the service contradicts itself", async () => {
    const { records, lines } = denying(["1", "2"]);
    expect((await rejection(records.fetchById("2"))).message).toContain("the service contradicts itself");
    expect(lines()).toEqual(["2", "list"]);
  });

  test("is gone where the list shows it no longer", async () => {
    const { records, service, lines } = denying(["1", "2"]);
    await Promise.all(["1", "1"].map((id) => records.readById(id, () => true)));
    service.rows = [{ id: "1" }];
    expect(await records.fetchById("2")).toBeUndefined();
    expect(lines()).toEqual(["list", "2", "list"]);
  });

  test("is sought by its key where the list is long, and is gone where the search does not find it", async () => {
    const others = ids(150, 3);
    const shown = denying([...others, "2"]).records;
    expect((await rejection(shown.fetchById("2", "2"))).message).toContain("contradicts itself");
    expect(await denying(others).records.fetchById("2", "2")).toBeUndefined();
  });
});

test("a record that the service says it has deleted is gone, though its list shows it, unless it is written again", async () => {
  const { records, lines } = denying(["1", "2"]);
  records.markDeleted("2");
  expect(await records.fetchById("2")).toBeUndefined();
  expect(lines()).toEqual(["2"]);
  records.invalidate("2", record("2"));
  expect((await rejection(records.fetchById("2"))).message).toContain("contradicts itself");
});

test("a record that this run has written is not gone on the word of an earlier list", async () => {
  const { records, service, lines } = denying(["1"]);
  await records.findByKey("2");
  service.rows = [{ id: "1" }, { id: "2" }];
  records.invalidate("2", record("2"));
  expect((await rejection(records.fetchById("2"))).message).toContain("contradicts itself");
  expect(lines()).toEqual(["list", "2", "list"]);
});

test("a record that this run has written is not gone on the word of a list that was being read meanwhile", async () => {
  const { records, service, lines, hold } = denying(["1", "3"]);
  const release = hold();
  const first = records.readById("1", () => true);
  service.rows = [{ id: "1" }, { id: "2" }, { id: "3" }];
  records.invalidate("2", record("2"));
  const sought = rejection(records.fetchById("2"));
  await vi.waitUntil(() => lines().length === 2);
  release();
  expect((await sought).message).toContain("contradicts itself");
  expect(await first).toEqual(record("1"));
  expect(lines()).toEqual(["list", "2", "list"]);
});
