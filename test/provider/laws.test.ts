import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { create, PartialFailure, read, remove } from "../../provider/lifecycle";
import type { ResourceState } from "../../provider/lifecycle/context";
import { catalogue } from "../../provider/resources";
import type { Field } from "../../provider/schema/field";
import type { Resource, Values } from "../../provider/schema/resource";
import { validateResource } from "../../provider/schema/validate";
import type { Session } from "../../provider/session";
import { rejection } from "../rejection";
import { type Dialect, dialectNames, type FaultReply, page, service, type TestService } from "../service";
import { anyValueOf, argumentsOf, changeOf, everythingOf, otherThan, plainValueOf } from "./arguments";
import { type Row, type Shelf, sessionOf, shelf, world } from "./harness";
import { banner, lookout } from "./made-up";

/**
 * Generated cases for each law and resource, in the plainest dialect. The oddest has a third of them, unless one only tries
 * something. The other dialects have a third too, of the laws of what they show.
 */
const { laws: numRuns, handful } = inject("sizes");
/** Every resource there is, and, unless one only tries something, two that are not. */
const resources: readonly Resource[] = handful ? catalogue : [...catalogue, banner, lookout];
const FULLY: readonly Dialect[] = handful ? ["spec"] : ["spec", "strings"];
/** The other dialects differ in envelopes and columns: the two made-up resources have those of websites and pixels, which are tried. */
const dialectsOf = (resource: Resource) =>
  (catalogue as readonly Resource[]).includes(resource) ? dialectNames : FULLY;

// Nobody waits for a copy of the data that lags.
vi.mock("node:timers/promises", () => ({ setTimeout: async () => {} }));
// No wait between two attempts: full jitter may be none.
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

/** A newer server keeps no domain's `www.`. */
function inNewer(column: string, sent: string): string {
  return column === "domain" ? sent.replace(/^www\./, "") : sent;
}

describe.each(resources.map((resource) => [resource.type, resource] as const))("%s", (_type, resource) => {
  const fields = Object.entries(resource.inputs);

  test("check of checked is the same", () => {
    fc.assert(
      fc.property(argumentsOf(resource), (args) => {
        const { values, mistakes } = validateResource(resource, {}, args);
        expect(mistakes).toEqual([]);
        // Nothing is lost or made up, but for defaults.
        for (const [name, field] of fields) {
          const due = args[name] ?? field.default;
          if (due === undefined) expect(values).not.toHaveProperty(name);
          else expect([name, field.canonical(values[name])]).toEqual([name, field.canonical(due)]);
        }
        expect(validateResource(resource, {}, values)).toEqual({ values, mistakes: [] });
        expect(validateResource(resource, values, values)).toEqual({ values, mistakes: [] });
      }),
      { numRuns: 30 * numRuns },
    );
  });

  test.each(fields)("decode after encode of %s is what was encoded", (_name, field) => {
    fc.assert(
      fc.property(anyValueOf(field), (value) => {
        const encoded = field.encode(value);
        const decoded = field.decode(encoded);
        if (field.secret) {
          // A server that says a secret is not taken at its word.
          expect(decoded).toBeUndefined();
          return;
        }
        expect(decoded).toBeDefined();
        expect(field.canonical(decoded)).toBe(field.canonical(value));
        expect(field.matches(value, decoded)).toBe(true);
        expect(field.encode(decoded)).toBe(encoded);
      }),
      { numRuns: 50 * numRuns },
    );
  });

  describe.each(dialectsOf(resource))("in the dialect %s", (dialect) => {
    let emulator: TestService;
    let store: Shelf;
    let at: Session;

    beforeAll(async () => {
      emulator = await service({ dialect }, afterAll);
      store = shelf(emulator.control, resource);
    });

    /** Another run. */
    const begin = () => sessionOf(resource, emulator.settings);
    /** Runs a law over generated cases, each against an empty service and in a run of its own. */
    async function holds<T>(
      cases: fc.Arbitrary<T>,
      law: (given: T) => Promise<void>,
      runs = dialect === "spec" ? numRuns : Math.ceil(numRuns / 3),
    ): Promise<void> {
      await fc.assert(
        fc.asyncProperty(cases, async (given) => {
          store.empty();
          emulator.control.clearRequests();
          emulator.control.clearFaults();
          at = begin();
          await law(given);
        }),
        { numRuns: runs },
      );
    }
    const checked = (args: Values): Values => validateResource(resource, {}, args).values;
    const made = (args: Values): Promise<ResourceState> => at.create(checked(args));
    /** The service has these values, by its own columns. */
    const expectStored = (args: Values) => {
      const row = store.only();
      for (const [name, value] of Object.entries(args)) {
        const field = resource.inputs[name] as Field<unknown>;
        const column = field.wire ?? name;
        const due = dialect === "newer" ? inNewer(column, field.encode(value)) : field.encode(value);
        // The service stores an empty list as null.
        expect([column, `${row[column] ?? ""}`]).toEqual([column, due]);
      }
    };
    const writes = () =>
      emulator.control
        .requests()
        .filter(({ method }) => method !== "GET")
        .map(({ method }) => method);

    test("create then read has no diff, and the same arguments again send nothing", () =>
      holds(argumentsOf(resource), async (args) => {
        const { id, state } = await made(args);
        expect(String(store.only().id)).toBe(id);
        expectStored(args);
        expect(state).toMatchObject(checked(args));
        const kept = await begin().read(id, state);
        expect(kept).toEqual({ id, state });
        expect(await at.diff("1", state, checked(args))).toEqual({ changed: [], replaces: [] });
        emulator.control.clearRequests();
        expect(await at.update(id, state, checked(args))).toEqual(state);
        expect(emulator.control.requests()).toEqual([]);
      }));
    if (handful && !FULLY.includes(dialect)) return;

    for (const [name, field] of fields)
      test(`drift of ${name} is seen by read and repaired by one PUT`, () => {
        const cases = everythingOf(resource).chain((args) =>
          fc.tuple(fc.constant(args), otherThan(field, args[name])),
        );
        return holds(cases, async ([args, other]) => {
          const { id, state } = await made(args);
          const before = store.only();
          const column = field.wire ?? name;
          const told = await shown(id);
          store.edit(id, { [column]: as(before, column, field.encode(other)) });
          const isTold = (await shown(id)) !== told && !field.secret;
          emulator.control.clearRequests();
          const later = begin();
          if (name === resource.key) {
            // A key that an update can't write nobody can: then it is another record.
            if (field.replaces) {
              for (const step of [() => later.read(id, state), () => later.delete(id, state)])
                expect((await rejection(step())).message).toContain("is another record on the service now");
              expect(writes()).toEqual([]);
              return;
            }
          }
          const kept = (await later.read(id, state)) as ResourceState;
          if (!isTold) {
            expect(kept.state).toEqual(state);
            return;
          }
          expect(await at.diff("1", kept.state, checked(args))).toEqual({
            changed: [name],
            replaces: field.replaces ? [name] : [],
          });
          // Refresh compares the other way round, and drops every field that is reported as unchanged.
          expect((await at.diff("1", checked(args), kept.state)).changed).toEqual([name]);
          if (field.replaces) return;
          await later.update(id, kept.state, checked(args));
          const sent = store.sent("PUT").map(({ form }) => Object.keys(form));
          expect(sent).toEqual([[column]]);
          expect({ ...store.only(), updated_at: "" }).toEqual({ ...before, updated_at: "" });
        });
      });

    // What follows depends on no dialect.
    if (!FULLY.includes(dialect)) return;

    test("a change is sent by one PUT of what changed, and then there is no diff", () =>
      holds(changeOf(resource), async ([olds, news]) => {
        const { id, state } = await made(olds);
        const before = store.only();
        const changed = await at.update(id, state, checked(news));
        const puts = store.sent("PUT");
        expect(puts).toHaveLength((await at.diff("1", state, checked(news))).changed.length > 0 ? 1 : 0);
        const after = store.only();
        const untouched = Object.keys(before).filter(
          (column) => column !== "updated_at" && !Object.keys(puts[0]?.form ?? {}).includes(column),
        );
        for (const column of untouched) expect([column, after[column]]).toEqual([column, before[column]]);
        const kept = await begin().read(id, changed);
        expect(await at.diff("1", kept?.state ?? {}, checked(news))).toEqual({ changed: [], replaces: [] });
      }));

    const replacing = fields.filter(([, field]) => field.replaces);
    test.skipIf(replacing.length === 0)(
      "a replacing field asks for a replacement and never reaches update",
      () =>
        holds(fc.tuple(everythingOf(resource), changeOf(resource)), async ([other, [olds, news]]) => {
          const { id, state } = await made(olds);
          for (const [name, field] of replacing) {
            const differs = field.canonical(other[name]) !== field.canonical(olds[name]);
            const asked = await at.diff(id, state, { ...checked(olds), [name]: other[name] });
            expect(asked).toEqual(
              differs ? { changed: [name], replaces: [name] } : { changed: [], replaces: [] },
            );
          }
          await at.update(id, state, checked(news));
          for (const { form } of store.sent("PUT"))
            for (const [name, field] of replacing) expect(form).not.toHaveProperty(field.wire ?? name);
        }),
    );

    test("delete twice is fine, and a missing record reads as gone", () =>
      holds(argumentsOf(resource), async (args) => {
        const { id, state } = await made(args);
        const later = begin();
        await later.delete(id, state);
        expect(store.rows()).toEqual([]);
        await later.delete(id, state);
        expect(writes()).toEqual(["POST", "DELETE"]);
        expect(await later.read(id, state)).toBeUndefined();
      }));

    test("a failed read-back after POST keeps the id, and the next run mends it without a POST", () => {
      const [name, field] = fields.find(([each, { secret }]) => each !== resource.key && !secret) as [
        string,
        Field<unknown>,
      ];
      const cases = argumentsOf(resource, { [name]: plainValueOf(field) }).chain((args) =>
        fc.tuple(fc.constant(args), otherThan(field, args[name])),
      );
      return holds(cases, async ([args, other]) => {
        const probe = store.insert({
          [resource.inputs[resource.key]?.wire ?? resource.key]: "probe",
        });
        store.empty();
        const next = probe.id + 1;
        emulator.control.addFault({
          match: { method: "POST" },
          commit: "before",
          reply: { status: 201, body: { data: { id: next, [field.wire ?? name]: field.encode(other) } } },
        });
        emulator.control.addFault({
          // Once for its key, and once for all of it.
          match: { path: `${resource.path}/*`, times: 2 },
          reply: page(404),
        });
        const half = (await rejection(made(args))) as PartialFailure;
        expect(half).toBeInstanceOf(PartialFailure);
        expect(store.only().id).toBe(next);
        expect(half.id).toBe(String(next));
        expect(half.state[resource.key]).toBe(args[resource.key]);
        // Left out it is sent by the next update; a field that replaces would ask for another record instead.
        expect(half.state[name]).toBe(field.replaces ? args[name] : undefined);
        expect((await at.diff("1", half.state, checked(args))).replaces).toEqual([]);
        const mended = await begin().update(half.id, half.state, checked(args));
        expect(mended).toMatchObject(checked(args));
        const kept = await begin().read(half.id, mended);
        expect(kept).toEqual({ id: half.id, state: mended });
        expect(store.sent("POST")).toHaveLength(1);
      });
    });

    test("what is not managed stays out of state and out of every request", () => {
      const loose = fields.filter(([, field]) => !field.required && field.default === undefined);
      const without = (args: Values) =>
        Object.fromEntries(Object.entries(args).filter(([name]) => !loose.some(([each]) => each === name)));
      const cases = fc
        .tuple(changeOf(resource), everythingOf(resource))
        .map(([pair, all]) => [...pair.map(without), all] as [Values, Values, Values])
        .filter((sets) =>
          sets.slice(0, 2).every((args) => validateResource(resource, {}, args).mistakes.length === 0),
        );
      return holds(cases, async ([olds, news, foreign]) => {
        const { id, state } = await made(olds);
        const columns = loose.map(([name, field]) => [field.wire ?? name, field.encode(foreign[name])]);
        store.edit(id, Object.fromEntries(columns));
        const before = store.only();
        const kept = (await begin().read(id, state)) as ResourceState;
        expect(kept.state).toEqual(state);
        await at.update(id, state, checked(news));
        expectStored(news);
        const after = store.only();
        for (const [column] of columns) expect(after[column as string]).toEqual(before[column as string]);
        for (const { form } of emulator.control.requests())
          for (const [column] of columns) expect(form).not.toHaveProperty(column as string);
      });
    });

    test("adopt takes over what is there, sends only what differs, and then there is no diff", () =>
      holds(changeOf(resource), async ([theirs, asked]) => {
        const { id } = await made(theirs);
        // A service may store another key than it was sent; whoever adopts has to name the one that is there.
        const { wire = resource.key } = fields.find(([name]) => name === resource.key)?.[1] ?? {};
        const before = store.only();
        const ours = { ...asked, [resource.key]: before[wire] };
        const told = await shown(id);
        const later = begin();
        const kept = await later.create({ ...checked(ours), adopt: true });
        expect(kept).toMatchObject({ id, state: checked(ours) });
        const puts = store.sent("PUT").map(({ form }) => form);
        expect(puts.length).toBeLessThanOrEqual(1);
        const after = store.only();
        for (const column of Object.keys(puts[0] ?? {})) {
          const [name, field] = fields.find(([each, { wire }]) => (wire ?? each) === column) ?? [];
          expect([name, field?.replaces]).toEqual([name, undefined]);
          // Only what differs from the service's values is sent.
          if (told.includes(`"${column}"`) && !field?.secret)
            expect(field?.canonical(ours[name as string] ?? field.clearsTo ?? field.default)).not.toBe(
              field?.canonical(field.decode(before[column])),
            );
          expect(after).toHaveProperty(column);
        }
        expect(store.rows()).toHaveLength(1);
        const seen = await later.read(id, kept.state);
        expect(await at.diff("1", seen?.state ?? {}, checked(ours))).toEqual({ changed: [], replaces: [] });
      }));

    /** A record on the service, read through another channel. */
    async function shown(id: string): Promise<string> {
      const { body } = await emulator.ask("GET", `${resource.path}/${id}`);
      return JSON.stringify(body).replace(/"updated_at":"[^"]*"/, "");
    }
  });

  const gone = { status: 404, body: { message: "Resource not found." } };
  const doubts: [string, FaultReply][] = [
    ["a page that says 404", page(404)],
    ["a page", page()],
    ["that nothing exists there", gone],
    ["nothing", { status: 204 }],
    ["JSON without a record", { body: {} }],
  ];
  test.each(doubts)(
    "only proof counts as missing, and a service that answers %s has none",
    async (_, reply) => {
      const { control, later, store } = await world({ dialect: "spec" }, resource);
      const [args = {}] = fc.sample(everythingOf(resource), 1);
      const { id, state } = await create(later(), validateResource(resource, {}, args).values);
      const match = { method: "GET", times: 0 };
      control.addFault({ match, reply });
      await rejection(read(later(), id, state));
      await rejection(remove(later(), id, state));
      control.clearFaults();
      // A list without it is outweighed by its own address, and that by a list which has it.
      const empty = { body: { data: [], meta: { total: 0 } } };
      for (const [path, answer] of [
        [resource.path, empty],
        [`${resource.path}/*`, gone],
      ] as const) {
        control.addFault({ match: { ...match, path }, reply: answer });
        expect(await read(later(), id, state)).toEqual({ id, state });
        if (answer === gone) await rejection(later().records.fetchById(id));
        control.clearFaults();
      }
      expect([store.sent("DELETE"), String(store.only().id)]).toEqual([[], id]);
    },
  );

  test("no failure and no error of a session holds a secret, even where the service repeats what it was sent", async () => {
    const key = "Kanarie+/Schlüssel&=%25 1";
    const apiKey = encodeURIComponent(key);
    const canary = "Vogel+/Geheimnis&=%25 <2>";
    const secrets = fields.filter(([, { secret }]) => secret).map(([name]) => name);
    const here = await world({ dialect: "spec", apiKey }, resource);
    here.control.become({ echoesKey: true });
    const texts: string[] = [];
    /** Of a new host, which tells everything again. */
    const fails = async (act: (at: Session) => Promise<unknown>) => {
      const { message, stack } = await rejection(act(here.session()));
      texts.push(message, String(stack));
    };
    const planted = secrets.length > 0 ? canary : apiKey;
    const [args] = fc.sample(everythingOf(resource), 1);
    const ours = { ...args, ...Object.fromEntries(secrets.map((name) => [name, canary])) };
    for (const [name] of fields)
      for (const wrong of [planted, [planted]])
        texts.push(...(await here.session().check({}, { ...ours, [name]: wrong })).failures);
    const { values } = await here.session().check({}, ours);
    const echo = { message: planted, errors: { [planted]: [planted, apiKey] } };
    const refused = async (status: number, method: string, act: (at: Session) => Promise<unknown>) => {
      here.control.addFault({ match: { method, times: 0 }, reply: { status, body: echo } });
      await fails(act);
      here.control.clearFaults();
    };
    for (const status of [403, 404, 409, 422, 500]) await refused(status, "POST", (at) => at.create(values));
    const { id, state } = await here.session().create(values);
    await refused(403, "GET", (at) => at.read(id, state));
    await refused(403, "DELETE", (at) => at.delete(id, state));
    const path = `${resource.path}/${id}`;
    for (const [column, value] of Object.entries(state)) {
      const named = resource.inputs[column];
      if (named === undefined) continue;
      // An update does not say what a secret or a flag has become.
      if (named.replaces || named.secret || typeof value === "boolean") continue;
      const odd = { data: { ...here.store.only(), [named.wire ?? column]: planted } };
      for (const method of ["PUT", "GET"])
        here.control.addFault({ match: { method, path, times: 0 }, reply: { body: odd } });
      await fails((at) => at.update(id, { ...state, [column]: undefined }, { ...state, [column]: value }));
      here.control.clearFaults();
    }
    // After a 401, the key is not sent again for a while.
    await refused(401, "GET", (at) => at.create(values));
    for (const secret of secrets.length > 0 ? [canary, key, apiKey] : [key, apiKey])
      for (const form of [secret, secret.slice(0, 12), encodeURIComponent(secret), base64(secret)])
        for (const text of texts) expect(text).not.toContain(form);
  });
});

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** A form's text as the column holds it. */
function as(row: Row, column: string, encoded: string): string | number {
  return typeof row[column] === "number" ? Number(encoded) : encoded;
}
