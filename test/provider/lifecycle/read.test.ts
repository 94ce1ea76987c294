import { beforeEach, describe, expect, test, vi } from "vitest";
import { create, read, remove } from "../../../provider/lifecycle";
import { IMPORT } from "../../../provider/lifecycle/advice";
import { website } from "../../../provider/resources";
import { dialectNames, type FaultReply, page } from "../../service";
import { problem, world } from "../harness";
import { methods, path, row, state, withWebsite } from "../shop";
import { upTo } from "../sites";

const drop = 'run "pulumi state delete --force \'URN\'" ("pulumi stack --show-urns" prints the URN)';
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

describe("read", () => {
  test.each(dialectNames)(
    "for the first time takes all that the service says in the dialect %s",
    async (dialect) => {
      const here = await world({
        dialect,
        seed: { websites: [{ ...row, exclude_ips: "192.0.2.7", password: "theirs" }] },
      });
      const kept = await read(here.at, "7", {});
      expect(kept).toMatchObject({ id: "7", state: { ...state, excludeIps: ["192.0.2.7"] } });
      expect(JSON.stringify(kept)).not.toContain("theirs");
    },
  );

  test("for the first time names the field that an old version of the service calls otherwise", async () => {
    const here = await withWebsite();
    const { id, domain: url, ...rest } = row;
    here.control.addFault({
      match: {},
      reply: { body: { data: { id: 7, url, ...rest } } } as FaultReply,
    });
    expect(await problem(read(here.at, "7", {}))).toBe(
      "the service sent no domain that can be read for the website with id 7. Ask the service's operator for a version whose API sends a domain, and run the same command again",
    );
  });
});

test.each<[string, object]>([
  ["an error", { status: "error", data: [] }],
  ["words, and no records", { data: [], message: "Maintenance" }],
  ["entries that are no records", { data: ["site-1", null] }],
  ["a record without its domain", { data: [{ id: 9 }], meta: { total: 1 } }],
])("nothing is gone, deleted or made twice where a list is answered 200 with %s", async (_, body) => {
  const here = await world();
  const reply = { body } as FaultReply;
  here.control.addFault({ match: { path: website.path, method: "GET", times: 0 }, reply });
  for (const call of [read, remove]) await problem(call(here.at, "7", state));
  await problem(create(here.at, state));
  expect(methods(here)).toEqual([]);
});

test.each([{ data: [{ id: 9 }] }, { data: [row], meta: { total: 2 } }])(
  "beside the list %j, a record in state has a way out, and a new one another",
  async (body) => {
    const here = await world();
    const reply = { body } as FaultReply;
    here.control.addFault({ match: { path: website.path, method: "GET", times: 0 }, reply });
    const state = { domain: "other.example" };
    for (const call of [read, remove])
      expect(await problem(call(here.at, "8", state))).toContain(`]. If it is gone there, ${drop}`);
    expect(await problem(create(here.at, state))).toContain(
      `]. If it is not there, create it in the service's web interface; then run "${IMPORT}"`,
    );
  },
);

test.each<FaultReply>([{ status: 403, body: {} }, { status: 500, body: {} }, page(), { body: "" }])(
  "a record that the list lacks, and that is answered with %j, is kept, with the way out",
  async (reply) => {
    // What only the first page of a list lacks may be there.
    for (const listed of [[7], [8], upTo(150).map((id) => id + 7)]) {
      const websites = listed.map((id) => ({ ...row, id, domain: `own-${id}.example` }));
      const here = await world({ seed: { websites } });
      here.control.addFault({ match: { path, times: 0 }, reply });
      expect((await problem(read(here.at, "7", state))).includes(drop)).toBe(listed[0] === 8 && !listed[1]);
    }
  },
);

test("a record is gone if only a similar one is listed", async () => {
  const here = await world({ seed: { websites: [{ ...row, id: 70, domain: "www.shop.example" }] } });
  expect(await read(here.at, "7", state)).toBeUndefined();
});

test("a record that is not found by its id is there if the rest of a long list, which no search replaces, shows it", async () => {
  const sites = upTo(150).map((id) => ({ ...row, id, domain: `s${id}.example` }));
  const domain = "xn--bcher-kva.example";
  const here = await world({ seed: { websites: [...sites, { ...row, id: 200, domain }] } });
  const reply = { status: 404, body: { message: "?" } };
  here.control.addFault({ match: { method: "GET", path: `${website.path}/200`, times: 0 }, reply });
  for (const step of [read, remove])
    expect(await problem(step(here.later(), "200", { ...state, domain }))).toContain("its list shows it");
  expect(methods(here)).toEqual([]);
});
