import { describe, expect, it } from "vitest";
import { useWorld } from "./world";

const world = useWorld();

describe("the resource option", () => {
  it("import is refused, and the command that does it is named", async () => {
    for (const [type, args] of [
      ["Website", '{ domain: "shop.example.com" }'],
      ["Pixel", '{ name: "P", type: "quora", value: "1" }'],
    ]) {
      await world.program(`new tracking.${type}("thing", ${args}, { import: "1" });\n`);
      const preview = await world.fail(["preview"]);
      expect(preview.output).toContain(
        `${type} "thing": the resource option "import" can't reach this provider`,
      );
      expect(preview.output).toContain("npx pulumi-tracking import --declared --apply");
      expect(preview.sent).toEqual([]);
    }
  });

  it("replaceOnChanges and customTimeouts warn that they have no effect", async () => {
    await world.program(`
new tracking.Website("shop", { domain: "shop.example.com" }, { replaceOnChanges: ["privacy"], customTimeouts: { create: "5m" } });
`);
    const preview = await world.preview();
    for (const option of ["replaceOnChanges", "customTimeouts"])
      expect(preview.output).toContain(
        `warning: Website "shop": the resource option "${option}" has no effect here`,
      );
  });

  it("dependsOn and parent put creates and deletes in order", async () => {
    await world.program(`
const last = () => new tracking.Website("last", { domain: "last.example.com" }, { dependsOn: [pixel], protect: false });
class Group extends pulumi.ComponentResource {
  constructor(name) {
    super("test:index:Group", name, {}, { protect: false });
  }
}
const group = new Group("group");
const pixel = new tracking.Pixel("pixel", { name: "P", type: "quora", value: "1" }, { parent: group });
last();
new tracking.Website("child", { domain: "child.example.com" }, { parent: group });
`);
    await world.service.addFault({ match: { method: "POST", path: "/api/v1/pixels" }, delay: 300 });
    const up = await world.up();
    const posts = up.written.map(({ form }) => form.domain ?? form.name);
    expect(posts.indexOf("P")).toBeLessThan(posts.indexOf("last.example.com"));
    const { child, pixel, last } = await world.resources();
    expect(child?.urn).toContain("test:index:Group$pulumi-nodejs:dynamic/tracking:Website::child");
    expect(child).not.toHaveProperty("protect");
    expect(last?.dependencies).toEqual([pixel?.urn]);
    await world.expectNoChange();
    const destroy = await world.destroy();
    const deletes = destroy.written.map(({ path }) => path);
    expect(deletes.indexOf(`/api/v1/websites/${last?.id}`)).toBeLessThan(
      deletes.indexOf(`/api/v1/pixels/${pixel?.id}`),
    );
    expect(await world.service.websites()).toEqual([]);
  });

  it("ignoreChanges keeps a change from the service", async () => {
    const program = (args: string, ignored: string) =>
      `new tracking.Website("shop", { domain: "shop.example.com", ${args} }, { ignoreChanges: [${ignored}] });\n`;
    await world.program(program('privacy: "private", excludeIps: ["192.0.2.7"]', ""));
    await world.up();
    const before = await world.service.websites();
    await world.program(program('privacy: "public"', '"privacy", "excludeIps"'));
    expect((await world.up()).written).toEqual([]);
    expect(await world.service.websites()).toEqual(before);
    await world.expectNoChange();
    await world.program(program('privacy: "public", emailReports: true', '"privacy", "excludeIps"'));
    expect((await world.up()).written.map(({ form }) => form)).toEqual([{ email: "1" }]);
  });

  it("additionalSecretOutputs hides further outputs, and the password stays hidden", async () => {
    await world.program(`
new tracking.Website("shop", { domain: "shop.example.com", password: "word-to-hide" }, { additionalSecretOutputs: ["domain"] });
`);
    await world.up();
    const { outputs } = await world.resource("shop");
    const sealed = { ciphertext: expect.any(String) };
    expect(outputs).toMatchObject({ domain: sealed, password: sealed, privacy: "private" });
    await world.expectNoChange();
  });

  it("transforms and transformations may change what a program says", async () => {
    await world.program(`
pulumi.runtime.registerStackTransformation(({ type, props, opts }) =>
  type === "pulumi-nodejs:dynamic/tracking:Pixel" ? { props: { ...props, value: "stack" }, opts } : undefined);
new tracking.Pixel("pixel", { name: "P", type: "quora", value: "1" });
new tracking.Website("one", { domain: "one.example.com" }, {
  transforms: [({ props, opts }) => ({ props: { ...props, privacy: "public" }, opts: { ...opts, protect: false } })],
});
new tracking.Website("two", { domain: "two.example.com" }, {
  transformations: [({ props, opts }) => ({ props: { ...props, emailReports: true }, opts: { ...opts, protect: false } })],
});
`);
    await world.up();
    expect(await world.pixel("P")).toMatchObject({ value: "stack" });
    expect(await world.website("one.example.com")).toMatchObject({ privacy: 0 });
    expect(await world.website("two.example.com")).toMatchObject({ email: 1 });
    await world.expectNoChange();
    expect((await world.destroy()).written.map(({ method }) => method)).toEqual([
      "DELETE",
      "DELETE",
      "DELETE",
    ]);
  });

  it("protect may be said by the program, by a component, or not at all", async () => {
    await world.program(`
class Group extends pulumi.ComponentResource {
  constructor(name, opts) {
    super("test:index:Group", name, {}, opts);
    new tracking.Website(name, { domain: name + ".example.com" }, { parent: this });
  }
}
new Group("loose", { protect: false });
new Group("tight", { protect: true });
new Group("silent");
new tracking.Pixel("pixel", { name: "P", type: "quora", value: "1" }, { protect: true });
`);
    await world.up();
    const { loose, tight, silent, pixel } = await world.resources();
    expect(loose).not.toHaveProperty("protect");
    for (const guarded of [tight, silent, pixel]) expect(guarded).toMatchObject({ protect: true });
  });
});
