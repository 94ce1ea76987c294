import { describe, expect, it } from "vitest";
import { useHarness } from "./harness";

const world = useHarness();

/** The resources to try each option on; `later` is the changed program. */
const program = (later: boolean) => `
const open = ${later} ? { protect: false } : {};

new tracking.Website("hinted", { domain: "hinted.example.com" }, { ...open, replaceOnChanges: ["privacy"], customTimeouts: { create: "5m" } });

class Group extends pulumi.ComponentResource {
  constructor(name, opts) {
    super("test:index:Group", name, {}, opts);
  }
}
const group = new Group("group", { protect: false });
const first = new tracking.Pixel("first", { name: "P", type: "quora", value: "1" }, { parent: group });
new tracking.Website("last", { domain: "last.example.com" }, { dependsOn: [first], protect: false });
new tracking.Website("child", { domain: "child.example.com" }, { parent: group });

const changed = ${later} ? { privacy: "public" } : { privacy: "private", excludeIps: ["192.0.2.7"] };
const ignoreChanges = ${later} ? ["privacy", "excludeIps"] : [];
new tracking.Website("ignoring", { domain: "ignoring.example.com", ...changed }, { ...open, ignoreChanges });
const reports = { emailReports: ${later} };
new tracking.Website("partly", { domain: "partly.example.com", ...changed, ...reports }, { ...open, ignoreChanges });

new tracking.Website("secret", { domain: "secret.example.com", password: "word-to-hide" }, { ...open, additionalSecretOutputs: ["domain"] });
`;

describe("the resource option", () => {
  const story = world.story(async () => {
    await world.program(program(false));
    await world.service.addFault({ match: { method: "POST", path: "/api/v1/pixels" }, delay: 300 });
    const up = await world.up();
    const resources = await world.resources();
    const websites = await world.service.websites();
    await world.expectNoDiff();
    await world.program(program(true));
    const changed = await world.up();
    const changedWebsites = await world.service.websites();
    await world.expectNoDiff();
    const destroy = await world.destroy();
    const left = [...(await world.service.websites()), ...(await world.service.pixels())];
    return { up, resources, websites, changed, changedWebsites, destroy, left };
  });
  const of = (websites: readonly { domain: string }[], name: string) =>
    websites.find(({ domain }) => domain === `${name}.example.com`);

  it("import is refused, with the command that imports", async () => {
    await world.program(`
try {
  new tracking.Website("shop", { domain: "shop.example.com" }, { import: "1" });
} catch ({ message }) {
  console.log(message);
}
new tracking.Pixel("pixel", { name: "P", type: "quora", value: "1" }, { import: "1" });
`);
    const preview = await world.fail(["preview"]);
    for (const noun of ['Website "shop"', 'Pixel "pixel"'])
      expect(preview.output).toContain(
        `${noun}: the resource option "import" is not supported by dynamic providers`,
      );
    expect(preview.output).toContain("npx pulumi-tracking import --declared --apply");
    expect(preview.sent).toEqual([]);
  });

  it("replaceOnChanges and customTimeouts warn that they have no effect", () => {
    for (const option of ["replaceOnChanges", "customTimeouts"])
      expect(story().up.output).toContain(
        `warning: Website "hinted": the resource option "${option}" has no effect`,
      );
  });

  it("dependsOn and parent put creates and deletes in order", () => {
    const { up, resources, destroy, left } = story();
    const posts = up.written.map(({ form }) => form.domain ?? form.name);
    expect(posts).toContain("P");
    expect(posts.indexOf("P")).toBeLessThan(posts.indexOf("last.example.com"));
    const { child, first, last } = resources;
    expect(child?.urn).toContain("test:index:Group$pulumi-nodejs:dynamic/tracking:Website::child");
    expect(child).not.toHaveProperty("protect");
    expect(last?.dependencies).toEqual([first?.urn]);
    const deletes = destroy.written.map(({ path }) => path);
    expect(deletes).toContain(`/api/v1/websites/${last?.id}`);
    expect(deletes.indexOf(`/api/v1/websites/${last?.id}`)).toBeLessThan(
      deletes.indexOf(`/api/v1/pixels/${first?.id}`),
    );
    expect(left).toEqual([]);
  });

  it("ignoreChanges keeps a change from the service, and that alone", () => {
    const { resources, websites, changed, changedWebsites } = story();
    expect(changed.written.map(({ path, form }) => [path, form])).toEqual([
      [`/api/v1/websites/${resources.partly?.id}`, { email: "1" }],
    ]);
    expect(of(changedWebsites, "ignoring")).toEqual(of(websites, "ignoring"));
    expect(of(changedWebsites, "partly")).toEqual({
      ...of(websites, "partly"),
      email: 1,
      updated_at: expect.any(String),
    });
  });

  it("additionalSecretOutputs hides further outputs, and the password stays hidden", () => {
    const sealed = { ciphertext: expect.any(String) };
    const { outputs } = story().resources.secret ?? {};
    expect(outputs).toMatchObject({ domain: sealed, password: sealed, privacy: "private" });
  });
});
