import { describe, expect, it } from "vitest";
import { declare, line, STACK, useWorld } from "./world";

const world = useWorld();

describe("a record that is there already", () => {
  it("stops an up without adopt, which names its id and both ways out", async () => {
    const website = await world.service.insertWebsite({ domain: "shop.example.com", privacy: 0 });
    const pixel = await world.service.insertPixel({ name: "P" });
    const before = [await world.service.websites(), await world.service.pixels()];
    for (const [program, said] of [
      [
        declare("Website", "shop", { domain: "Shop.example.com." }),
        `website "Shop.example.com." exists already (id ${website.id})`,
      ],
      [
        declare("Pixel", "pixel", { name: "P", type: "quora", value: "1" }),
        `pixel "P" exists already (id ${pixel.id})`,
      ],
    ] as const) {
      await world.program(program);
      const up = await world.fail(["up", "--yes", "--skip-preview"]);
      expect(up.output).toContain(
        `${said}. To manage it, run "npx pulumi-tracking import --declared --apply", or give this resource adopt: true`,
      );
      expect(up.output).not.toMatch(STACK);
      expect(up.written).toEqual([]);
    }
    expect([await world.service.websites(), await world.service.pixels()]).toEqual(before);
    expect(await world.resources()).toEqual({});
  });

  it("is taken over with adopt by one PUT of what differs, and only looked at by the preview", async () => {
    const website = await world.service.insertWebsite({
      domain: "shop.example.com",
      privacy: 0,
      email: 0,
      exclude_bots: 0,
      exclude_ips: "203.0.113.9",
      statistics: true,
    });
    const same = await world.service.insertWebsite({
      domain: "same.example.com",
      privacy: 1,
      email: 0,
      exclude_bots: 1,
    });
    const pixel = await world.service.insertPixel({ name: "P", type: "bing", value: "1" });
    await world.program(
      declare("Website", "shop", {
        domain: "SHOP.example.com",
        excludeIps: ["203.0.113.9"],
        emailReports: true,
        adopt: true,
      }) +
        declare("Website", "same", { domain: "same.example.com", adopt: true }) +
        declare("Website", "fresh", { domain: "fresh.example.com", adopt: true }) +
        declare("Pixel", "pixel", { name: "P", type: "quora", value: "1", adopt: true }),
    );
    const preview = await world.preview();
    expect(preview.written).toEqual([]);
    expect(preview.output).toContain(
      `website "SHOP.example.com": exists already (id ${website.id}) and will be taken over; privacy, emailReports, excludeBots will change on it`,
    );
    const up = await world.up();
    expect(up.written.map(line).sort()).toEqual([
      "POST /api/v1/websites",
      `PUT /api/v1/pixels/${pixel.id}`,
      `PUT /api/v1/websites/${website.id}`,
    ]);
    const form = (path: string) => up.written.find((each) => each.path === path)?.form;
    expect(form(`/api/v1/websites/${website.id}`)).toEqual({ privacy: "1", email: "1", exclude_bots: "1" });
    expect(form(`/api/v1/pixels/${pixel.id}`)).toEqual({ type: "quora" });
    expect(await world.website("shop.example.com")).toMatchObject({ id: website.id, statistics: true });
    expect(await world.website("same.example.com")).toEqual(same);
    const kept = await world.kept();
    expect(kept.shop?.id).toBe(String(website.id));
    expect(kept.same).toMatchObject({ id: String(same.id) });
    await world.expectQuiet();
    expect((await world.refresh({ args: ["--expect-no-changes"] })).written).toEqual([]);
  });

  it("keeps the lists that the program does not mention when it is taken over", async () => {
    const website = await world.service.insertWebsite({
      domain: "shop.example.com",
      privacy: 1,
      email: 0,
      exclude_bots: 1,
      exclude_ips: "203.0.113.9",
      exclude_params: "ref",
    });
    await world.program(declare("Website", "shop", { domain: "shop.example.com", adopt: true }));
    const up = await world.up();
    expect(up.written).toEqual([]);
    expect(await world.website("shop.example.com")).toEqual(website);
  });

  it("is never chosen from two of one name", async () => {
    const pixels = [
      await world.service.insertPixel({ name: "P" }),
      await world.service.insertPixel({ name: "P" }),
    ];
    await world.program(declare("Pixel", "pixel", { name: "P", type: "quora", value: "1", adopt: true }));
    for (const command of [["preview"], ["up", "--yes", "--skip-preview"]]) {
      const ran = await world.fail(command);
      for (const { id } of pixels) expect(ran.output).toContain(`id ${id}`);
      expect(ran.written).toEqual([]);
    }
    expect(await world.service.pixels()).toEqual(pixels);
    expect(await world.resources()).toEqual({});
  });

  it("is never taken by two resources of one program", async () => {
    await world.service.insertPixel({ name: "P", type: "quora", value: "1" });
    const pixel = (name: string) =>
      declare("Pixel", name, { name: "P", type: "quora", value: "1", adopt: true });
    await world.program(pixel("one") + pixel("two"));
    const up = await world.fail(["up", "--yes", "--skip-preview"]);
    expect(up.output).toContain('pixel "P" is declared twice in this program');
    expect(Object.keys(await world.resources())).toHaveLength(1);
    expect(await world.service.pixels()).toHaveLength(1);
  });

  it("is not known to a preview without a service, which says so and goes on", async () => {
    await world.program(declare("Pixel", "pixel", { name: "P", type: "quora", value: "1", adopt: true }));
    await world.service.addFault({ match: { times: 0 }, reply: { status: 403, body: { message: "no" } } });
    const preview = await world.preview();
    expect(preview.output).toContain(
      'pixel "P": it is not known whether it exists already and would be taken over',
    );
    expect(preview.written).toEqual([]);
  });
});

describe("a resource that gets another name in the program", () => {
  it("loses nothing with adopt and without alias", async () => {
    const program = (name: string, args: object = {}) =>
      declare(
        "Website",
        name,
        { domain: "shop.example.com", privacy: "public", ...args },
        { protect: false },
      ) + declare("Pixel", `${name}-pixel`, { name: "P", type: "quora", value: "1", ...args });
    await world.program(program("old"));
    await world.up();
    const before = [await world.service.websites(), await world.service.pixels()];
    await world.program(program("new", { adopt: true }));
    const up = await world.up();
    expect(up.written).toEqual([]);
    expect(up.output).toMatch(/is kept, since another resource of this program has just taken it over/);
    expect([await world.service.websites(), await world.service.pixels()]).toEqual(before);
    expect(Object.keys(await world.resources()).sort()).toEqual(["new", "new-pixel"]);
    await world.expectQuiet();
    expect((await world.refresh({ args: ["--expect-no-changes"] })).written).toEqual([]);
  });

  it("is the same with an alias", async () => {
    const one = (name: string, type: "Website" | "Pixel", args: object, old?: string) =>
      declare(type, name, args, old === undefined ? {} : { aliases: [{ name: old }] });
    const website = { domain: "shop.example.com" };
    const pixel = { name: "P", type: "quora", value: "1" };
    await world.program(one("old", "Website", website) + one("old-pixel", "Pixel", pixel));
    await world.up();
    await world.program(
      one("new", "Website", website, "old") + one("new-pixel", "Pixel", pixel, "old-pixel"),
    );
    expect((await world.up()).sent).toEqual([]);
    expect(Object.keys(await world.resources()).sort()).toEqual(["new", "new-pixel"]);
    await world.expectQuiet();
  });
});
