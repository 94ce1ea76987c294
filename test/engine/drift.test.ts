import { expect, it } from "vitest";
import { declare, line, useHarness } from "./harness";

const world = useHarness();

const _HOSTILE = "\u001b]0;owned\u0007\u001b[31m<{%reset%}>\u202e\r";

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
