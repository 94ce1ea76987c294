import fc from "fast-check";
import { expect, test } from "vitest";
import { type Api, ApiError } from "../../../provider/api/api";
import {
  AccountGuard,
  type Context,
  create,
  read,
  remember,
  remove,
  update,
} from "../../../provider/lifecycle";
import { isRightAccount } from "../../../provider/lifecycle/account-guard";
import { LifecycleError } from "../../../provider/lifecycle/errors";
import { refusalForDoubt, type Status } from "../../../provider/lifecycle/standing";
import { RecordReader } from "../../../provider/records/reader";
import { pixel, website } from "../../../provider/resources";
import { creationEntry } from "../../../provider/schema/identity";
import type { Values } from "../../../provider/schema/resource";
import { some } from "../../model/sizes";
import { problem, run, type World, world } from "../harness";
import { site, stateOf, upTo } from "../sites";

/** What an account has for a record in state: it, it with changes, another one under its id or with its key, or an error. */
type Kind = "same" | "changed" | "other" | "moved" | "missing" | "failing";
type Row = Readonly<Record<string, unknown>>;

const record = fc.record({
  kind: fc.constantFrom<Kind>(
    "same",
    "changed",
    "other",
    "moved",
    "missing",
    "missing",
    "missing",
    "failing",
  ),
  verb: fc.constantFrom("read", "update", "delete"),
  resource: fc.constantFrom(website, pixel),
});
const story = fc.record({
  /** Records that are looked for at the same time, one group after the other. */
  groups: fc.array(fc.array(record, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
  /** How many records the account has that are not in state. */
  others: fc.nat(3),
  /** Whether the list proves what is missing. Otherwise only a search does. */
  isWhole: fc.boolean(),
  /** How long answers take. */
  delays: fc.array(fc.nat(20), { minLength: 1, maxLength: 7 }),
});

function accountWith(rows: ReadonlyMap<string, Row | "failing">, isWhole: boolean, delays: number[]): Api {
  let count = 0;
  return async (request) => {
    count += 1;
    for (let turn = delays[count % delays.length] ?? 0; turn > 0; turn -= 1) await Promise.resolve();
    const { method, path, query = {}, form } = request;
    const row = rows.get(path);
    if (row === "failing") throw new ApiError(request, "unclear", "no answer");
    if (row !== undefined && method === "DELETE") return { status: 204, body: undefined };
    if (row !== undefined) return { status: 200, body: { ...row, ...form } };
    if (/\d$/.test(path)) throw new ApiError(request, "missing", "none");
    expect(method).toBe("GET");
    const { search } = query;
    const all = [...rows].flatMap(([at, each]) =>
      each !== "failing" && at.startsWith(path) && [undefined, each.domain, each.name].includes(search)
        ? [each]
        : [],
    );
    if (isWhole || search !== undefined)
      return { status: 200, body: { data: all, meta: { total: all.length } } };
    return { status: 200, body: { data: all.slice(0, 1), meta: { total: all.length + 9 } } };
  };
}

/** Whether a record is called gone. */
async function isGone(verb: string, context: Context, id: string, state: Values): Promise<boolean> {
  if (verb === "read") return (await read(context, id, state)) === undefined;
  if (verb === "update") {
    const news = { ...state, ...(state.domain === undefined ? { type: "quora" } : { privacy: "public" }) };
    const error = await update(context, id, state, news).then(
      () => undefined,
      (reason: Error) => reason,
    );
    if (error === undefined || / is gone from the service/.test(error.message)) return error !== undefined;
    throw error;
  }
  let isSent = false;
  const api: Api = (request) => {
    isSent = true;
    return context.api(request);
  };
  await remove({ ...context, api }, id, state);
  return !isSent;
}

const rememberAt = ({ at }: World, id: string, values: Values) =>
  remember({ context: at, resource: at.resource, verb: "looked for", id, values });

test("a record is gone only if it is the only one looked for, or if another one exists and none has another id", async () => {
  const told = fc.asyncProperty(story, async ({ groups, others, isWhole, delays }) => {
    const rows = new Map<string, Row | "failing">();
    const stateOfPixel = (id: number) => ({ name: `P${id}`, type: "bing", value: `v${id}` });
    const place = (resource: typeof website | typeof pixel, id: number, row: Row) =>
      rows.set(`${resource.path}/${id}`, { ...row, id });
    const rowOf = (resource: typeof website | typeof pixel, id: number) =>
      resource === website ? site(id) : stateOfPixel(id);
    for (const at of upTo(others))
      for (const each of [website, pixel]) place(each, 900 + at, rowOf(each, 900 + at));
    const records = groups.map((group, nth) =>
      group.map((each, at) => {
        const { kind, resource } = each;
        const id = 10 * (nth + 1) + at;
        const row = rowOf(resource, id);
        if (kind === "same") place(resource, id, row);
        if (kind === "changed")
          place(resource, id, resource === website ? { ...row, email: 1 } : { ...row, value: "n" });
        if (kind === "other")
          place(resource, id, { domain: "o.example", name: "O", type: "bing", value: "o" });
        if (kind === "moved") place(resource, id + 500, row);
        if (kind === "failing") rows.set(`${resource.path}/${id}`, "failing");
        return { ...each, id: `${id}`, state: resource === website ? stateOf(id) : stateOfPixel(id) };
      }),
    );
    const api = accountWith(rows, isWhole, delays);
    const nowhere = {
      apiKey: "key",
      analyticsBaseUrl: "http://127.0.0.1:1",
      dataBaseUrl: "http://127.0.0.1:1",
    };
    const guard = new AccountGuard();
    const contexts = new Map(
      [website, pixel].map((each) => [
        each as object,
        { ...run(each, nowhere), api, guard, records: new RecordReader(api, each) },
      ]),
    );
    const asked: Kind[] = [];
    for (const group of records) {
      asked.push(...group.map(({ kind }) => kind));
      const isRight = asked.some((kind) => kind === "same" || kind === "changed");
      const isKnown = isRight && !asked.includes("moved");
      const expected = ({ kind }: { kind: Kind }) => {
        if (kind === "missing") return asked.length === 1 || isKnown ? "gone" : "error";
        return kind === "same" || kind === "changed" ? "there" : "error";
      };
      const outcomes = group.map(async ({ resource, verb, id, state }) => {
        const call = isGone(verb, contexts.get(resource) as Context, id, state);
        return call.then(
          (gone) => (gone ? "gone" : "there"),
          (error: unknown) => {
            expect(error).toBeInstanceOf(LifecycleError);
            return "error";
          },
        );
      });
      expect(await Promise.all(outcomes)).toEqual(group.map(expected));
    }
  });
  await fc.assert(told, { numRuns: some(500) });
});

test("a record that is deleted is gone on the evidence of one that the run keeps, which it asks for only then", async () => {
  const here = await world({ seed: { websites: [site(3)] } });
  rememberAt(here, "3", stateOf(3));
  await remove(here.at, "1", stateOf(1));
  expect(here.store.sent("GET").map(({ path }) => path)).toContain(`${website.path}/1`);
  await remove(here.at, "2", stateOf(2));
  expect(here.at.said).toHaveLength(2);

  const other = await world({ seed: { websites: [site(901)] } });
  for (const id of [10, ...upTo(9)]) rememberAt(other, `${id}`, stateOf(id));
  expect(await problem(remove(other.at, "10", stateOf(10)))).toContain(
    `drop each from state with "pulumi refresh --target 'URN'", one at a time`,
  );
  // Two are enough, whatever the number of resources, and the one that is missing is none of them.
  expect(other.store.sent("GET").map(({ path }) => path.slice(website.path.length))).toEqual([
    "",
    "/10",
    "/1",
    "/2",
  ]);
});

test("a new record waits for no other than one that is found, though others have moved", async () => {
  // The list shows the one that is found as it is in state, or its own request does later.
  for (const inState of [stateOf(3), { ...stateOf(3), privacy: "public" }]) {
    const here = await world({ seed: { websites: [site(3), { ...site(2), id: 8 }] } });
    const moved = problem(read(here.at, "2", stateOf(2)));
    await Promise.all([read(here.at, "3", inState), create(here.at, stateOf(4))]);
    expect(await moved).toContain("(id 8)");
  }
});

test("a record whose old name a later one has, has not moved, and holds nothing back", async () => {
  const [created_at, later] = ["2024-01-01T00:00:00.000000Z", "2024-01-01T00:07:00.000000Z"];
  const tag = (id: number, of: number, at: string) => {
    return { id, name: site(of).domain, type: "bing", value: "1", created_at: at };
  };
  const here = await world({ seed: { pixels: [tag(3, 3, created_at), tag(4, 1, later)] } }, pixel);
  const looks = [["4", 1, later] as const, ["3", 1, created_at] as const, ["5", 5, created_at] as const];
  const [, renamed, gone] = await Promise.all(
    looks.map(([id, of, createdAt]) => {
      const { domain: name } = stateOf(of);
      return read(here.at, id, { name, type: "bing", value: "1", ...creationEntry({}, { createdAt }) });
    }),
  );
  expect([renamed?.state.name, gone]).toEqual(["site-3.example", undefined]);
});

test("a new record goes to the account that lists one of the state, though others were deleted by hand", async () => {
  const here = await world({ seed: { websites: [site(3)] } });
  for (const id of ["1", "2", "3"]) rememberAt(here, id, stateOf(id));
  expect(await create(here.at, stateOf(4))).toMatchObject({ state: stateOf(4) });
});

test("one record of the state proves its account, by its presence or by a look, and none proves nothing", () => {
  const standing = (status: Status) => ({
    subject: { resource: website, values: {} },
    status,
    namesakes: [],
  });
  const missing = standing("missing");
  expect(isRightAccount(1, [missing, missing])).toBe(true);
  expect(isRightAccount(0, [missing, standing("same")])).toBe(true);
  expect(isRightAccount(0, [missing, standing("displaced")])).toBe(false);
});

test("a look that failed without a word on what to do is to be made again", () => {
  const subject = { resource: website, values: stateOf(1), verb: "read" };
  const adviceAfter = (...advice: string[]) =>
    refusalForDoubt(subject, new LifecycleError("no answer", ...advice), "check the key").advice;
  expect([adviceAfter(), adviceAfter("Ask Ada")]).toEqual([["Run the same command again"], ["Ask Ada"]]);
});

test("records that may only have other ids are not to be dropped", async () => {
  const here = await world({
    seed: {
      websites: [
        { ...site(2), id: 1 },
        { ...site(5), id: 6 },
      ],
    },
  });
  for (const id of ["1", "6"]) rememberAt(here, id, stateOf(id));
  for (const step of [() => create(here.at, stateOf(4)), () => read(here.at, "3", stateOf(3))])
    expect(await problem(step())).toMatch(
      /\(id 1\) is another record on the service now: "site-2.example", .*\. First check .*"pulumi state delete --force 'URN'" for each/,
    );
  expect(here.store.sent("POST")).toEqual([]);
});

test("records that are gone, all of them, are dropped one by one, as the message says", async () => {
  const here = await world();
  const states = upTo(2).map((id) => [`${id}`, stateOf(id)] as const);
  const outcomes = await Promise.all(states.map(([id, state]) => problem(read(here.at, id, state))));
  expect(outcomes[0]).toContain(
    `"pulumi refresh --target 'URN'", one at a time, and "pulumi up" creates them again. For many, or one that stays, see "When all`,
  );
  // A destroy, or an up that removes them, creates none.
  const later = await world();
  const removed = await Promise.all(states.map(([id, state]) => problem(remove(later.at, id, state))));
  expect(removed[0]).toMatch(/--target 'URN'", one at a time, and run the same command again\. For many/);
  expect(removed[0]).not.toContain("creates");
  for (const [id, state] of states) expect(await read(here.later(), id, state)).toBeUndefined();
});

test("a create, or a delete of what is not found, that can't look for another record of the state says so as its own failure", async () => {
  const here = await world({ seed: { websites: [site(901)] } });
  here.control.addFault({ match: { path: `${website.path}/3`, times: 0 }, reply: { status: 403, body: {} } });
  const steps: [string, (at: World["at"]) => Promise<unknown>][] = [
    ['website "site-4.example" was not created', (at) => create(at, stateOf(4))],
    ['website "site-1.example" (id 1) is not found, but stays in state', (at) => remove(at, "1", stateOf(1))],
  ];
  for (const [says, step] of steps) {
    const at = here.later();
    rememberAt({ ...here, at }, "3", stateOf(3));
    const message = await problem(step(at));
    expect(message.split(", since ")).toEqual([
      says,
      expect.stringMatching(
        /^it is unknown whether this is the right account: website "site-3.example" \(id 3\) can't be looked for: .*403.*\]\. The list does not show the record: check .* If they are right and the record is gone, run/,
      ),
    ]);
  }
  expect(here.store.sent("POST")).toEqual([]);
  here.control.clearFaults();
  here.store.insert(site(3));
  for (const [, step] of steps) {
    const at = here.later();
    rememberAt({ ...here, at }, "3", stateOf(3));
    await step(at);
  }
});
