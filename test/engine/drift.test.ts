import { beforeAll, describe, expect, it } from "vitest";
import type { StoredPixel, StoredWebsite } from "../../emulator";
import { cases, declare, line, type Ran, type StateResource, useHarness } from "./harness";

const world = useHarness();

/** A manual change of one record in the web page, and how `pulumi` reports it. */
interface Drift {
  says: string;
  type: "Website" | "Pixel";
  args: Record<string, unknown>;
  edit: Partial<StoredWebsite & StoredPixel>;
  /** The state after a refresh. */
  seen: Record<string, unknown>;
  /** The form that corrects it. */
  sends?: Record<string, string>;
}

const ips = ["192.0.2.7", "198.51.100.0/24"];
const drifts: Drift[] = [
  {
    says: "privacy",
    type: "Website",
    args: {},
    edit: { privacy: 0 },
    seen: { privacy: "public" },
    sends: { privacy: "1" },
  },
  {
    says: "privacy that was unset, which the service takes for public",
    type: "Website",
    args: {},
    edit: { privacy: null },
    seen: { privacy: "public" },
    sends: { privacy: "1" },
  },
  {
    says: "emailReports",
    type: "Website",
    args: {},
    edit: { email: 1 },
    seen: { emailReports: true },
    sends: { email: "0" },
  },
  {
    says: "excludeBots",
    type: "Website",
    args: {},
    edit: { exclude_bots: 0 },
    seen: { excludeBots: false },
    sends: { exclude_bots: "1" },
  },
  {
    says: "a password that was taken away",
    type: "Website",
    args: { password: "word" },
    edit: { password: null },
    seen: { password: undefined },
    sends: { password: "***" },
  },
  {
    says: "excludeIps that were changed",
    type: "Website",
    args: { excludeIps: ips },
    edit: { exclude_ips: "203.0.113.9" },
    seen: { excludeIps: ["203.0.113.9"] },
    sends: { exclude_ips: ips.join("\n") },
  },
  {
    says: "excludeIps that were emptied",
    type: "Website",
    args: { excludeIps: ips },
    edit: { exclude_ips: null },
    seen: { excludeIps: [] },
    sends: { exclude_ips: ips.join("\n") },
  },
  {
    says: "excludeIps that were filled where the program wants none",
    type: "Website",
    args: { excludeIps: [] },
    edit: { exclude_ips: "203.0.113.9" },
    seen: { excludeIps: ["203.0.113.9"] },
    sends: { exclude_ips: "" },
  },
  {
    says: "a pixel's name",
    type: "Pixel",
    args: {},
    edit: { name: "Their name" },
    seen: { name: "Their name" },
    sends: { name: "PIXEL" },
  },
  {
    says: "a pixel's type",
    type: "Pixel",
    args: {},
    edit: { type: "bing" },
    seen: { type: "bing" },
    sends: { type: "quora" },
  },
  {
    says: "a pixel's value",
    type: "Pixel",
    args: {},
    edit: { value: "theirs" },
    seen: { value: "theirs" },
    sends: { value: "1" },
  },
];

const harmless: Drift[] = [
  {
    says: "excludeIps that were only reordered, with other line ends",
    type: "Website",
    args: { excludeIps: ips },
    edit: { exclude_ips: `\r\n${[...ips].reverse().join("\r\n\r\n")}\r\n` },
    seen: { excludeIps: ips },
  },
  {
    says: "excludeIps that were filled where the program says nothing",
    type: "Website",
    args: {},
    edit: { exclude_ips: "203.0.113.9" },
    seen: { excludeIps: undefined },
  },
  {
    says: "excludeParams that were changed, since they can't be seen here",
    type: "Website",
    args: { excludeParams: ["utm_source"] },
    edit: { exclude_params: "ref" },
    seen: { excludeParams: ["utm_source"] },
  },
  {
    says: "a password that was changed, since it can't be seen",
    type: "Website",
    args: { password: "word" },
    edit: { password: "theirs" },
    seen: {},
  },
];

const all = [...drifts, ...harmless].map((drift, at) => ({ ...drift, at }));

describe("a manual change on the service", () => {
  let plan: Ran;
  let refreshed: Ran;
  let seen: Record<string, StateResource>;
  let mended: Ran;

  const unedited = async () => ({
    websites: (await world.service.websites()).map(({ updated_at: _, ...columns }) => columns),
    pixels: (await world.service.pixels()).map(({ updated_at: _, ...columns }) => columns),
  });
  const path = (at: number) =>
    `/api/v1/${all[at]?.type === "Pixel" ? "pixels" : "websites"}/${seen[`r${at}`]?.id}`;

  beforeAll(async () => {
    await world.program(
      all
        .map(({ type, args, at }) =>
          declare(type, `r${at}`, {
            ...(type === "Website"
              ? { domain: `r${at}.example.com` }
              : { name: `P ${at}`, type: "quora", value: "1" }),
            ...args,
          }),
        )
        .join(""),
    );
    await world.up();
    const made = await unedited();
    const ids = await world.resources();
    for (const { type, edit, at } of all) {
      const id = Number(ids[`r${at}`]?.id);
      if (type === "Pixel") await world.service.editPixel(id, edit);
      else await world.service.editWebsite(id, edit);
    }

    plan = await world.preview({ args: ["--refresh", "--json"] });
    refreshed = await world.refresh();
    seen = await world.resources();
    mended = await world.up();
    const now = await unedited();
    const mendedIds = new Set(drifts.map((_, at) => `${seen[`r${at}`]?.id} ${drifts[at]?.type}`));
    const ours = <T extends { id: number }>(rows: T[], type: string) =>
      rows.filter(({ id }) => mendedIds.has(`${id} ${type}`));
    expect(ours(now.websites, "Website")).toEqual(ours(made.websites, "Website"));
    expect(ours(now.pixels, "Pixel")).toEqual(ours(made.pixels, "Pixel"));
    expect((await world.expectNoChange({ args: ["--refresh"] })).written).toEqual([]);
  });

  it("is only read by a refresh and by a preview that refreshes", () => {
    expect([...plan.written, ...refreshed.written]).toEqual([]);
  });

  it.each(cases(drifts))(
    "is seen by a refresh and put right by one PUT: %s",
    (_says, { at, seen: expected, sends }) => {
      const outputs = seen[`r${at}`]?.outputs ?? {};
      for (const [name, value] of Object.entries(expected)) expect(outputs[name]).toEqual(value);
      const written = mended.written.filter((each) => each.path === path(at));
      const form = sends?.name === "PIXEL" ? { name: `P ${at}` } : sends;
      expect(written).toEqual([{ method: "PUT", path: path(at), form }]);
    },
  );

  it.each(cases(drifts))("is shown by a preview that refreshes: %s", (_says, { at }) => {
    const { steps } = JSON.parse(plan.stdout) as { steps: { op: string; urn: string }[] };
    const ops = steps.filter(({ urn }) => urn.endsWith(`::r${at}`)).map(({ op }) => op);
    expect(ops).toContain("update");
  });

  it.each(cases(harmless, drifts.length))("does not count as drift: %s", (_says, { at, seen: expected }) => {
    const outputs = seen[`r${at}`]?.outputs ?? {};
    for (const [name, value] of Object.entries(expected)) expect(outputs[name]).toEqual(value);
    expect(mended.written.filter((each) => each.path === path(at))).toEqual([]);
  });
});

describe("excludeParams, on a server that returns them", () => {
  it("are read by a refresh and corrected by one PUT", async () => {
    await world.service.configure({ dialect: "spec" });
    await world.program(
      declare("Website", "shop", { domain: "shop.example.com", excludeParams: ["utm_source"] }),
    );
    await world.up();
    const { id } = await world.website("shop.example.com");
    await world.service.editWebsite(id, { exclude_params: "utm_source\nref" });
    expect((await world.refresh()).written).toEqual([]);
    expect((await world.resource("shop")).outputs).toMatchObject({ excludeParams: ["utm_source", "ref"] });
    expect((await world.up()).written).toEqual([
      { method: "PUT", path: `/api/v1/websites/${id}`, form: { exclude_params: "utm_source" } },
    ]);
    expect(await world.website("shop.example.com")).toMatchObject({ exclude_params: "utm_source" });
  });
});

describe("a record that is gone from the service", () => {
  const program =
    declare("Website", "shop", { domain: "shop.example.com" }, { protect: false }) +
    declare("Pixel", "pixel", { name: "P", type: "quora", value: "1" }) +
    declare("Pixel", "other", { name: "Other", type: "quora", value: "1" });

  const created = world.story(async () => {
    await world.program(program);
    await world.up();
    return world.keep();
  });
  const begin = async () => {
    await created()();
    await world.program(program);
    const website = (await world.website("shop.example.com")).id;
    const pixel = (await world.pixel("P")).id;
    await world.service.deleteWebsite(website);
    await world.service.deletePixel(pixel);
    return { website, pixel };
  };

  it("leaves the state at a refresh, and the next up recreates it", async () => {
    const gone = await begin();
    expect((await world.refresh()).written).toEqual([]);
    expect(Object.keys(await world.resources())).toEqual(["other"]);
    const up = await world.up();
    expect(up.written.map(line).sort()).toEqual(["POST /api/v1/pixels", "POST /api/v1/websites"]);
    expect((await world.website("shop.example.com")).id).not.toBe(gone.website);
    expect((await world.pixel("P")).id).not.toBe(gone.pixel);
  });

  it("is recreated by an up that refreshes", async () => {
    await begin();
    const up = await world.up({ args: ["--refresh"] });
    expect(up.written.map(line).sort()).toEqual(["POST /api/v1/pixels", "POST /api/v1/websites"]);
  });

  it("counts as deleted, and the rest is deleted", async () => {
    await begin();
    const { id } = await world.pixel("Other");
    const destroy = await world.destroy();
    expect(destroy.written.map(line)).toEqual([`DELETE /api/v1/pixels/${id}`]);
    expect(await world.service.pixels()).toEqual([]);
    expect(await world.resources()).toEqual({});
  });

  it("is not updated but reported, with what to do", async () => {
    const { pixel } = await begin();
    await world.program(program.replace('"name":"P"', '"name":"P2"'));
    const up = await world.fail(["up", "--yes", "--skip-preview"]);
    expect(up.written).toEqual([]);
    expect(up.output).toContain(
      `pixel "P" (id ${pixel}) is gone from the service; run "pulumi refresh", then "pulumi up" to recreate it`,
    );
    expect(Object.keys(await world.resources()).sort()).toEqual(["other", "pixel", "shop"]);
  });
});

describe("an id that now belongs to another record", () => {
  it("is neither read, changed nor deleted", async () => {
    const opts = { protect: false };
    const pixel = (value: string) => declare("Pixel", "pixel", { name: "P", type: "quora", value });
    const website = (privacy: string) =>
      declare("Website", "shop", { domain: "shop.example.com", privacy }, opts);
    await world.program(website("private") + pixel("1"));
    await world.up();
    const ids = [(await world.website("shop.example.com")).id, (await world.pixel("P")).id] as const;
    await world.service.editWebsite(ids[0], { domain: "theirs.example.com" });
    await world.service.editPixel(ids[1], { name: "Theirs", value: "theirs" });
    const now = async () => [
      await world.service.websites(),
      await world.service.pixels(),
      await world.kept(),
    ];
    const before = await now();

    const refresh = await world.fail(["refresh", "--yes", "--skip-preview"]);
    expect(refresh.output).toContain(
      `the website with id ${ids[0]} is "theirs.example.com" on the service, and "shop.example.com" in state`,
    );
    expect(await now()).toEqual(before);
    await world.program(website("public") + pixel("2"));
    const up = await world.fail(["up", "--yes", "--skip-preview", "--continue-on-error"]);
    expect(up.output).toContain(`the pixel with id ${ids[1]} is "Theirs" on the service, and "P" in state`);
    expect(await now()).toEqual(before);
    const destroy = await world.fail(["destroy", "--yes", "--skip-preview", "--continue-on-error"]);
    expect(await now()).toEqual(before);
    expect([...refresh.written, ...up.written, ...destroy.written]).toEqual([]);
  });
});
