import { describe, expect, it } from "vitest";
import { declare, line, useHarness } from "./harness";

const world = useHarness();

const HOSTILE = "\u001b]0;owned\u0007\u001b[31m<{%reset%}>\u202e\r";

it("a record that is gone from the service leaves the state at a refresh, and the next up recreates it", async () => {
  await world.program(
    declare("Website", "shop", { domain: "shop.example.com" }, { protect: false }) +
      declare("Pixel", "pixel", { name: "P", type: "quora", value: "1" }) +
      declare("Pixel", "other", { name: "Other", type: "quora", value: "1" }),
  );
  await world.up();
  const website = (await world.website("shop.example.com")).id;
  const pixel = (await world.pixel("P")).id;
  await world.service.deleteWebsite(website);
  await world.service.deletePixel(pixel);
  expect((await world.refresh()).written).toEqual([]);
  expect(Object.keys(await world.resources())).toEqual(["other"]);
  const up = await world.up();
  expect(up.written.map(line).sort()).toEqual(["POST /api/v1/pixels", "POST /api/v1/websites"]);
  expect((await world.website("shop.example.com")).id).not.toBe(website);
  expect((await world.pixel("P")).id).not.toBe(pixel);
});

it("a refresh that runs the program shows no difference of a record that has not changed, defaults left out", async () => {
  await world.program(
    declare("Website", "shop", { domain: "shop.example.com" }) +
      declare("Website", "blog", {
        domain: "blog.example.com",
        privacy: "public",
        excludeIps: ["192.0.2.1"],
      }),
  );
  await world.up();
  const refresh = await world.run(["refresh", "--preview-only", "--run-program"]);
  expect(refresh.output).toContain("refreshing");
  expect(refresh.output).not.toContain("[diff");
});

it("a pixel of type x on a service that says twitter is stored there as that, and shows no change", async () => {
  const pixel = (value: string) => declare("Pixel", "ads", { name: "Ads", type: "x", value });
  await world.program(pixel("1"));
  await world.up();
  expect(await world.pixel("Ads")).toMatchObject({ type: "twitter", value: "1" });
  await world.refresh({ args: ["--expect-no-changes"] });
  await world.program(pixel("2"));
  expect((await world.up()).written).toMatchObject([{ method: "PUT", form: { value: "2" } }]);
  expect((await world.resource("ads")).outputs).toMatchObject({ type: "x" });
  await world.run(["preview", "--refresh", "--expect-no-changes"]);
  await world.destroy();
  expect(await world.service.pixels()).toEqual([]);
});

describe("an id that now belongs to another record", () => {
  it("is neither read, changed nor deleted, and its name reaches no terminal as it is", async () => {
    const opts = { protect: false };
    const pixel = (value: string) => declare("Pixel", "pixel", { name: "P", type: "quora", value });
    const website = (privacy: string) =>
      declare("Website", "shop", { domain: "shop.example.com", privacy }, opts);
    await world.program(website("private") + pixel("1"));
    await world.up();
    const ids = [(await world.website("shop.example.com")).id, (await world.pixel("P")).id] as const;
    await world.service.editWebsite(ids[0], { domain: HOSTILE });
    await world.service.editPixel(ids[1], { name: HOSTILE, value: HOSTILE });
    const now = async () => [
      await world.service.websites(),
      await world.service.pixels(),
      await world.kept(),
    ];
    const before = await now();

    const refresh = await world.fail(["refresh", "--yes", "--skip-preview"]);
    expect(refresh.output).toMatch(/so nothing was changed/);
    expect(await now()).toEqual(before);
    await world.program(website("public") + pixel("2"));
    const up = await world.fail(["up", "--yes", "--skip-preview", "--continue-on-error"]);
    expect(up.output).toMatch(
      new RegExp(`the website with id ${ids[0]} is .*, and "shop.example.com" in state`),
    );
    expect(up.output).toMatch(new RegExp(`the pixel with id ${ids[1]} is .*, and "P" in state`));
    expect(await now()).toEqual(before);
    const destroy = await world.fail(["destroy", "--yes", "--skip-preview", "--continue-on-error"]);
    expect(await now()).toEqual(before);
    for (const { output, written } of [refresh, up, destroy]) {
      expect(written).toEqual([]);
      expect(output).not.toMatch(/[^\P{Cc}\t\n]|\u202e|<\{%reset%\}>/u);
    }
  });
});
