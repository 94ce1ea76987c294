import { describe, expect, it } from "vitest";
import { declare, line, useWorld } from "./world";

const world = useWorld();

const website = (opts: object = {}) => declare("Website", "shop", { domain: "shop.example.com" }, opts);
const pixel = declare("Pixel", "pixel", { name: "P", type: "quora", value: "1" });

describe("destroy", () => {
  it("leaves nothing of what is not protected", async () => {
    await world.program(website({ protect: false }) + pixel);
    await world.up();
    const ids = [(await world.website("shop.example.com")).id, (await world.pixel("P")).id];
    const destroy = await world.destroy();
    expect(destroy.written.map(line).sort()).toEqual([
      `DELETE /api/v1/pixels/${ids[1]}`,
      `DELETE /api/v1/websites/${ids[0]}`,
    ]);
    expect([...(await world.service.websites()), ...(await world.service.pixels())]).toEqual([]);
    expect(await world.state()).toEqual([]);
  });

  it("is refused for a website that the program does not unprotect, and works once it does", async () => {
    await world.program(website() + pixel);
    await world.up();
    const before = await world.service.websites();
    expect(await world.resource("shop")).toMatchObject({ protect: true });
    expect(await world.resource("pixel")).not.toHaveProperty("protect");
    const preview = await world.fail(["destroy", "--preview-only"]);
    expect(preview.output).toMatch(
      /::shop\W+(cannot be deleted\W+because it is protected|as it is currently marked for protection)/,
    );
    const destroy = await world.fail(["destroy", "--yes", "--skip-preview"]);
    expect([...preview.sent, ...destroy.written].filter(({ path }) => path.includes("websites"))).toEqual([]);
    expect(await world.service.websites()).toEqual(before);
    expect(await world.resources()).toHaveProperty("shop");

    await world.program(website({ protect: false }));
    const up = await world.up();
    expect(up.written.filter(({ path }) => path.includes("websites"))).toEqual([]);
    await world.destroy();
    expect([...(await world.service.websites()), ...(await world.service.pixels())]).toEqual([]);
  });

  it("is refused for such a website also when its code is gone", async () => {
    await world.program(website() + pixel);
    await world.up();
    const before = await world.service.websites();
    await world.program("");
    for (const command of [["preview"], ["up", "--yes", "--skip-preview"], ["destroy", "--yes"]]) {
      const ran = await world.fail(command);
      expect(ran.output).toMatch(
        /::shop\W+(cannot be deleted\W+because it is protected|as it is currently marked for protection)/,
      );
      expect(ran.written.filter(({ path }) => path.includes("websites"))).toEqual([]);
    }
    expect(await world.service.websites()).toEqual(before);
    expect(await world.resources()).toHaveProperty("shop");
  });

  it("leaves a website that is to be retained on the service", async () => {
    await world.program(website({ retainOnDelete: true }));
    await world.up();
    expect(await world.resource("shop")).not.toHaveProperty("protect");
    expect((await world.destroy()).sent).toEqual([]);
    expect(await world.service.websites()).toHaveLength(1);
    expect(await world.resources()).toEqual({});
  });
});

describe("an up whose program has lost the code of unprotected resources", () => {
  it("deletes them", async () => {
    await world.program(website({ protect: false }) + pixel);
    await world.up();
    await world.program("");
    expect((await world.up()).written.map(({ method }) => method)).toEqual(["DELETE", "DELETE"]);
    expect([...(await world.service.websites()), ...(await world.service.pixels())]).toEqual([]);
    expect(await world.resources()).toEqual({});
  });
});
