import { beforeAll, describe, expect, it } from "vitest";
import type { StoredWebsite } from "../../emulator";
import { cases, declare, type Ran, useHarness } from "./harness";

/** One website, declared once and then changed. */
interface Change {
  says: string;
  before: Record<string, unknown>;
  /** A manual change on the service in between. */
  meanwhile?: Partial<StoredWebsite>;
  after: Record<string, unknown>;
  /** The form of the one request that the change needs; none if there is nothing to change. */
  sends?: Record<string, string>;
  stored: Partial<StoredWebsite>;
}

const world = useHarness();

/** A secret in the emulator's log. */
const HIDDEN = "***";

const changes: Change[] = [
  {
    says: "makes a private statistics page public",
    before: { privacy: "private" },
    after: { privacy: "public" },
    sends: { privacy: "0" },
    stored: { privacy: 0 },
  },
  {
    says: "makes a public statistics page private",
    before: { privacy: "public" },
    after: { privacy: "private" },
    sends: { privacy: "1" },
    stored: { privacy: 1 },
  },
  {
    says: "makes a statistics page private again where the program no longer says anything",
    before: { privacy: "public" },
    after: {},
    sends: { privacy: "1" },
    stored: { privacy: 1 },
  },
  {
    says: "puts a password before a private page that has one already",
    before: { privacy: "private", password: "first word" },
    after: { privacy: "password", password: "first word" },
    sends: { privacy: "2" },
    stored: { privacy: 2, password: "first word" },
  },
  {
    says: "takes the password from before a page",
    before: { privacy: "password", password: "first word" },
    after: { privacy: "private", password: "first word" },
    sends: { privacy: "1" },
    stored: { privacy: 1, password: "first word" },
  },
  {
    says: "changes a password",
    before: { privacy: "password", password: "first word" },
    after: { privacy: "password", password: "second & word" },
    sends: { password: HIDDEN },
    stored: { privacy: 2, password: "second & word" },
  },
  {
    says: "adds a password",
    before: {},
    after: { password: "first word" },
    sends: { password: HIDDEN },
    stored: { privacy: 1, password: "first word" },
  },
  {
    says: "leaves the service's password where the program drops it",
    before: { privacy: "password", password: "first word" },
    after: { privacy: "password" },
    stored: { privacy: 2, password: "first word" },
  },
  {
    says: "sends reports",
    before: {},
    after: { emailReports: true },
    sends: { email: "1" },
    stored: { email: 1 },
  },
  {
    says: "stops reports",
    before: { emailReports: true },
    after: { emailReports: false },
    sends: { email: "0" },
    stored: { email: 0 },
  },
  {
    says: "counts bots",
    before: {},
    after: { excludeBots: false },
    sends: { exclude_bots: "0" },
    stored: { exclude_bots: 0 },
  },
  {
    says: "leaves bots out",
    before: { excludeBots: false },
    after: {},
    sends: { exclude_bots: "1" },
    stored: { exclude_bots: 1 },
  },
  ...lists("excludeParams", "exclude_params", ["utm_source", "ref", "gclid"]),
  ...lists("excludeIps", "exclude_ips", ["192.0.2.7", "198.51.100.0/24", "2001:db8::/32"]),
  {
    says: "takes no notice of adopt where it is added",
    before: {},
    after: { adopt: true },
    stored: { privacy: 1 },
  },
  {
    says: "takes no notice of adopt where it is dropped",
    before: { adopt: true },
    after: { adopt: false },
    stored: { privacy: 1 },
  },
  {
    says: "takes a domain in other case for the same",
    before: { domain: "case.example.com" },
    after: { domain: "Case.EXAMPLE.com" },
    stored: { domain: "case.example.com" },
  },
  {
    says: "takes a domain with a trailing dot for the same",
    before: { domain: "dot.example.com" },
    after: { domain: "dot.example.com." },
    stored: { domain: "dot.example.com" },
  },
  {
    says: "takes an international domain in ASCII for the same",
    before: { domain: "bücher.example.com" },
    after: { domain: "xn--bcher-kva.example.com" },
    stored: { domain: "xn--bcher-kva.example.com" },
  },
  {
    says: "takes a domain in ASCII that is spelled out for the same",
    before: { domain: "xn--mller-kva.example.com" },
    after: { domain: "MÜLLER.example.com" },
    stored: { domain: "xn--mller-kva.example.com" },
  },
];

function lists(name: string, column: "exclude_params" | "exclude_ips", lines: string[]): Change[] {
  const [one, two, three] = lines as [string, string, string];
  const all = lines.join("\n");
  return [
    {
      says: `adds ${name}`,
      before: {},
      after: { [name]: [one, two] },
      sends: { [column]: `${one}\n${two}` },
      stored: { [column]: `${one}\n${two}` },
    },
    {
      says: `changes ${name}`,
      before: { [name]: [one, two] },
      after: { [name]: [one, three] },
      sends: { [column]: `${one}\n${three}` },
      stored: { [column]: `${one}\n${three}` },
    },
    {
      says: `takes reordered ${name} for the same`,
      before: { [name]: lines },
      after: { [name]: [three, one, two] },
      stored: { [column]: all },
    },
    {
      says: `empties ${name} that became an empty list`,
      before: { [name]: lines },
      after: { [name]: [] },
      sends: { [column]: "" },
      stored: { [column]: null },
    },
    {
      says: `empties ${name} that the program dropped`,
      before: { [name]: lines },
      after: {},
      sends: { [column]: "" },
      stored: { [column]: null },
    },
    {
      says: `empties ${name} that someone filled, where the program adds an empty list`,
      before: {},
      meanwhile: { [column]: one },
      after: { [name]: [] },
      sends: { [column]: "" },
      stored: { [column]: null },
    },
    {
      says: `leaves ${name} alone that someone filled, where the program says nothing of them`,
      before: {},
      meanwhile: { [column]: all },
      after: { emailReports: true },
      sends: { email: "1" },
      stored: { [column]: all, email: 1 },
    },
  ];
}

/** All websites go through the same commands at once, each with its own change. */
describe("a website with one changed argument", () => {
  let created: Ran;
  let changed: Ran;
  const ids: number[] = [];
  const after: StoredWebsite[] = [];

  const program = (phase: "before" | "after") =>
    changes.map((change, at) => declare("Website", `w${at}`, { domain: domain(at), ...change[phase] }));
  const domain = (at: number) => `w${at}.example.com`;

  beforeAll(async () => {
    await world.program(program("before").join(""));
    created = await world.up();
    for (const [at, { meanwhile }] of changes.entries()) {
      const id = Number((await world.resource(`w${at}`)).id);
      ids.push(id);
      if (meanwhile) await world.service.editWebsite(id, meanwhile);
    }
    await world.expectNoDiff();
    expect((await world.refresh({ args: ["--expect-no-changes"] })).written).toEqual([]);
    await world.program(program("after").join(""));
    changed = await world.up();
    after.push(...(await world.service.websites()));
    await world.expectNoDiff();
    expect((await world.refresh({ args: ["--expect-no-changes"] })).written).toEqual([]);
    await world.expectNoDiff();
  });

  it("is created by one POST that says privacy, reports and bots", () => {
    const posts = created.written.map(({ form }) => form);
    expect(created.written.every(({ method }) => method === "POST")).toBe(true);
    expect(posts).toHaveLength(changes.length);
    for (const form of posts)
      expect(Object.keys(form)).toEqual(
        expect.arrayContaining(["domain", "privacy", "email", "exclude_bots"]),
      );
  });

  it.each(cases(changes))("%s", (_says, { at, sends, stored }) => {
    const path = `/api/v1/websites/${ids[at]}`;
    const written = changed.written.filter((each) => each.path === path);
    expect(written).toEqual(sends === undefined ? [] : [{ method: "PUT", path, form: sends }]);
    expect(after.find(({ id }) => id === ids[at])).toMatchObject({ domain: domain(at), ...stored });
  });

  it("needs only these requests", () => {
    const expected = changes.filter(({ sends }) => sends !== undefined).length;
    expect(changed.written).toHaveLength(expected);
    expect(after).toHaveLength(changes.length);
  });

  it.each([
    "its excludeParams will be emptied",
    "its excludeIps will be emptied",
    "its password changes",
    "its statistics page becomes public",
  ])("tells people: %s", (clause) => {
    expect(changed.output).toContain(clause);
  });
});
