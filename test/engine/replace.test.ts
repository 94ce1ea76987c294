import { describe, expect, it } from "vitest";
import { declare, line, useWorld } from "./world";

const world = useWorld();

const DELETED = "will be deleted with it";

describe("another domain", () => {
  it("is refused at preview for a website that the program does not unprotect", async () => {
    await world.program(declare("Website", "shop", { domain: "old.example.com" }));
    await world.up();
    const before = [await world.service.websites(), await world.kept()];

    await world.program(declare("Website", "shop", { domain: "new.example.com" }));
    const preview = await world.fail(["preview"]);
    expect(preview.output).toMatch(
      /::shop\W+(cannot be deleted\W+because it is protected|as it is currently marked for protection)/,
    );
    expect(preview.sent).toEqual([]);
    const up = await world.fail(["up", "--yes", "--skip-preview"]);
    expect(up.written).toEqual([]);
    expect([await world.service.websites(), await world.kept()]).toEqual(before);
  });

  it("makes the new website first and then deletes the old one, where protect is false", async () => {
    const opts = { protect: false };
    await world.program(declare("Website", "shop", { domain: "old.example.com" }, opts));
    await world.up();
    const { id } = await world.website("old.example.com");

    await world.program(declare("Website", "shop", { domain: "new.example.com", privacy: "public" }, opts));
    const preview = await world.preview();
    expect(preview.stdout).toContain(
      'website "old.example.com": domain becomes "new.example.com", and the statistics of "old.example.com" will be deleted with it',
    );
    expect(preview.sent).toEqual([]);
    const up = await world.up();
    expect(up.written.map(line)).toEqual(["POST /api/v1/websites", `DELETE /api/v1/websites/${id}`]);
    expect(up.written[0]?.form).toMatchObject({ domain: "new.example.com", privacy: "0" });
    expect(await world.service.websites()).toMatchObject([{ domain: "new.example.com", privacy: 0 }]);
    expect((await world.resource("shop")).id).toBe(String((await world.website("new.example.com")).id));
    expect((await world.state()).filter(({ type }) => type.includes("Website"))).toHaveLength(1);
    await world.expectNoChange();
  });

  it("leaves the old website where retainOnDelete is set, and warns of nothing", async () => {
    const opts = { retainOnDelete: true };
    await world.program(declare("Website", "shop", { domain: "old.example.com" }, opts));
    await world.up();
    await world.program(declare("Website", "shop", { domain: "new.example.com" }, opts));
    const preview = await world.preview();
    const up = await world.up();
    expect(up.written.map(line)).toEqual(["POST /api/v1/websites"]);
    expect((await world.service.websites()).map(({ domain }) => domain)).toEqual([
      "old.example.com",
      "new.example.com",
    ]);
    for (const { output } of [preview, up]) expect(output).not.toContain(DELETED);
    expect(Object.keys(await world.resources())).toEqual(["shop"]);
    await world.expectNoChange();
  });

  it("deletes the old website first where deleteBeforeReplace is set", async () => {
    const opts = { protect: false, deleteBeforeReplace: true };
    await world.program(declare("Website", "shop", { domain: "old.example.com" }, opts));
    await world.up();
    const { id } = await world.website("old.example.com");
    await world.program(declare("Website", "shop", { domain: "new.example.com" }, opts));
    const up = await world.up();
    expect(up.written.map(line)).toEqual([`DELETE /api/v1/websites/${id}`, "POST /api/v1/websites"]);
    expect(await world.service.websites()).toMatchObject([{ domain: "new.example.com" }]);
    await world.expectNoChange();
  });

  it("finds a website that is there already, and keeps the old one then", async () => {
    await world.program(declare("Website", "shop", { domain: "old.example.com" }, { protect: false }));
    await world.up();
    await world.service.insertWebsite({ domain: "new.example.com", privacy: 0 });
    const before = [await world.service.websites(), await world.kept()];
    await world.program(declare("Website", "shop", { domain: "new.example.com" }, { protect: false }));
    const up = await world.fail(["up", "--yes", "--skip-preview"]);
    expect(up.output).toContain('website "new.example.com" exists already');
    expect(up.written).toEqual([]);
    expect([await world.service.websites(), await world.kept()]).toEqual(before);
  });
});
