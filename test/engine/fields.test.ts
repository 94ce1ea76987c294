import { beforeAll, expect, it } from "vitest";
import type { StoredPixel, StoredWebsite } from "../service";
import { cases, declare, type Ran, type StateResource, useHarness } from "./harness";

const world = useHarness();

/** A resource, declared, changed by the program, and then by someone in the web interface. */
interface Row {
  says: string;
  type?: "Website" | "Pixel";
  before?: Record<string, unknown>;
  /** An edit in the web interface before the program's change. */
  meanwhile?: Partial<StoredWebsite>;
  after?: Record<string, unknown>;
  /** The form of the one request that the change needs; none if nothing has to change. */
  sends?: Record<string, string>;
  stored?: Partial<StoredWebsite & StoredPixel>;
  /** The edit afterwards. */
  edit?: Partial<StoredWebsite & StoredPixel>;
  /** What a refresh makes of it in state; nothing if the edit is not seen. */
  seen?: Record<string, unknown>;
  /** The form that puts it right. */
  mends?: Record<string, string>;
}

const [one, two, three] = ["192.0.2.7", "198.51.100.0/24", "2001:db8::/32"];
const rows: Row[] = [
  {
    says: "privacy",
    after: { privacy: "public" },
    sends: { privacy: "0" },
    stored: { privacy: 0 },
    edit: { privacy: 1 },
    seen: { privacy: "private" },
    mends: { privacy: "0" },
  },
  {
    says: "privacy where there is a password already, which is then taken away",
    before: { password: "first word" },
    after: { privacy: "password", password: "first word" },
    sends: { privacy: "2" },
    stored: { privacy: 2, password: "first word" },
    edit: { password: null },
    seen: { password: undefined },
    mends: { password: "***" },
  },
  {
    says: "a password, whose other text on the service can't be seen",
    before: { privacy: "password", password: "first word" },
    after: { privacy: "password", password: "second & word" },
    sends: { password: "***" },
    stored: { privacy: 2, password: "second & word" },
    edit: { password: "theirs" },
  },
  {
    says: "excludeIps that are added, and then changed",
    after: { excludeIps: [one, two] },
    sends: { exclude_ips: `${one}\n${two}` },
    stored: { exclude_ips: `${one}\n${two}` },
    edit: { exclude_ips: "203.0.113.9" },
    seen: { excludeIps: ["203.0.113.9"] },
    mends: { exclude_ips: `${one}\n${two}` },
  },
  {
    says: "excludeIps that are only reordered, on both sides",
    before: { excludeIps: [one, two, three] },
    after: { excludeIps: [three, one, two] },
    stored: { exclude_ips: `${one}\n${two}\n${three}` },
    edit: { exclude_ips: `\r\n${two}\r\n\r\n${three}\r\n${one}` },
  },
  {
    says: "excludeIps that become an empty list, and that someone fills",
    before: { excludeIps: [one] },
    after: { excludeIps: [] },
    sends: { exclude_ips: "" },
    stored: { exclude_ips: null },
    edit: { exclude_ips: two },
    seen: { excludeIps: [two] },
    mends: { exclude_ips: "" },
  },
  {
    says: "excludeIps that the program drops, and that are then the service's own",
    before: { excludeIps: [one] },
    sends: { exclude_ips: "" },
    stored: { exclude_ips: null },
    edit: { exclude_ips: two },
  },
  {
    says: "excludeParams, whose other lines on the service can't be seen",
    before: { excludeParams: ["utm_source"] },
    after: { excludeParams: ["utm_source", "ref"] },
    sends: { exclude_params: "utm_source\nref" },
    stored: { exclude_params: "utm_source\nref" },
    edit: { exclude_params: "gclid" },
  },
  {
    says: "a pixel's name",
    type: "Pixel",
    after: { name: "Another name & more" },
    sends: { name: "Another name & more" },
    stored: { name: "Another name & more", value: "a-1_B" },
    edit: { name: "Theirs" },
    seen: { name: "Theirs" },
    mends: { name: "Another name & more" },
  },
];

const paths: string[] = [];
const stored: (StoredWebsite | StoredPixel | undefined)[] = [];
let seen: Record<string, StateResource>;
let [created, changed, refreshed, mended] = [] as unknown as [Ran, Ran, Ran, Ran];

const program = (phase: "before" | "after") =>
  world.program(
    rows
      .map(({ type = "Website", ...row }, at) => {
        const key = type === "Website" ? { domain: `w${at}.example.com` } : { name: `P ${at}` };
        const rest = type === "Website" ? {} : { type: "quora", value: "a-1_B" };
        return declare(type, `r${at}`, { ...key, ...rest, ...row[phase] });
      })
      .join(""),
  );
async function edit(): Promise<void> {
  for (const [at, row] of rows.entries()) {
    const id = Number(paths[at]?.split("/").at(-1));
    if (row.edit === undefined) continue;
    if (row.type === "Pixel") await world.service.editPixel(id, row.edit);
    else await world.service.editWebsite(id, row.edit);
  }
}

/** All resources go through the same commands at once, since each command takes seconds. */
beforeAll(async () => {
  await world.begin();
  await program("before");
  created = await world.up();
  const ids = await world.resources();
  for (const [at, { type }] of rows.entries())
    paths.push(`/api/v1/${type === "Pixel" ? "pixels" : "websites"}/${ids[`r${at}`]?.id}`);
  await program("after");
  changed = await world.up();
  const all = { websites: await world.service.websites(), pixels: await world.service.pixels() };
  for (const path of paths) {
    const [kind, id] = path.split("/").slice(-2) as ["websites" | "pixels", string];
    stored.push(all[kind].find((each) => String(each.id) === id));
  }
  await edit();
  refreshed = await world.refresh();
  seen = await world.resources();
  mended = await world.up();
  expect((await world.expectNoChange({ args: ["--refresh"] })).written).toEqual([]);
});

const put = (path: string | undefined, form: object | undefined) =>
  form === undefined ? [] : [{ method: "PUT", path, form }];

it("are created by one POST each, which says privacy, reports and bots", () => {
  expect(created.written.map(({ method }) => method)).toEqual(rows.map(() => "POST"));
  for (const { path, form } of created.written.filter((each) => each.path.endsWith("websites")))
    expect(Object.keys(form), path).toEqual(
      expect.arrayContaining(["domain", "privacy", "email", "exclude_bots"]),
    );
});

it.each(cases(rows))("change by one PUT of what changed, or by none: %s", (_says, row) => {
  const path = paths[row.at];
  expect(changed.written.filter((each) => each.path === path)).toEqual(put(path, row.sends));
  expect(stored[row.at]).toMatchObject(row.stored ?? {});
});

it.each(cases(rows))("are seen by a refresh and put right by one PUT: %s", (_says, row) => {
  const path = paths[row.at];
  const outputs = seen[`r${row.at}`]?.outputs ?? {};
  for (const [name, value] of Object.entries(row.seen ?? {})) expect(outputs[name]).toEqual(value);
  expect(mended.written.filter((each) => each.path === path)).toEqual(put(path, row.mends));
});

it("are only read by a refresh", () => expect(refreshed.written).toEqual([]));
