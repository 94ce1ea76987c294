import { createRequire } from "node:module";
import { expect, onTestFinished, test, vi } from "vitest";

const loaded = vi.hoisted(() => [] as string[]);
vi.mock("got", async (original) => {
  loaded.push("got");
  return original();
});
vi.mock("zod", async (original) => {
  loaded.push("zod");
  return original();
});

const { cache } = createRequire(__filename);
const filesOf = (name: string) =>
  Object.keys(cache).filter((file) => file.includes(`/node_modules/${name}/`));
// Other test files of this process may have loaded them.
for (const file of ["got", "zod"].flatMap(filesOf)) delete cache[file];

/** Of these, the packages that are loaded, however they were. */
function packages(): string[] {
  const required = ["got", "zod"].filter((name) => filesOf(name).length > 0);
  return [...new Set([...loaded, ...required])].sort();
}

test("the host loads zod with the first new value and got with the first change, and neither before", async () => {
  const { Website } = await import("../../../../provider/hosts/dynamic/index.js");
  const settings: Record<string, string> = {
    "tracking:apiKey": "local-key",
    "tracking:analyticsBaseUrl": "http://127.0.0.1:1",
  };
  await Website.configure({ config: { get: (key: string) => settings[key] } } as never);
  const shop = { domain: "shop.example", privacy: "public" };
  await Website.check(shop, { ...shop, __provider: "constant" });
  expect(packages()).toEqual([]);
  await Website.check({}, { ...shop, __provider: "constant" });
  await Website.diff("7", { domain: "shop.example" }, { domain: "SHOP.example" });
  expect(packages()).toEqual(["zod"]);
  await Website.diff("7", shop, { ...shop, privacy: "private" });
  await vi.waitFor(() => expect(packages()).toEqual(["got", "zod"]));
});

test("a call that comes just when the package is loaded has the settings: configure began to load it", async () => {
  const host = "../../../../provider/hosts/dynamic/host";
  const early: Promise<unknown>[] = [];
  vi.resetModules();
  vi.doMock(host, async (original) => {
    const { hosts } = await original<typeof import("../../../../provider/hosts/dynamic/host")>();
    return {
      get hosts() {
        queueMicrotask(() => early.push(Website.diff("7", { domain: "a.example" }, { domain: "b.example" })));
        return hosts;
      },
    };
  });
  onTestFinished(() => void vi.doUnmock(host));
  const { Website } = await import("../../../../provider/hosts/dynamic/index.js");
  const settings: string[] = [];
  await Website.configure({ config: { get: (key: string) => void settings.push(key) } } as never);
  await Promise.all(early);
  expect(settings).toContain("tracking:apiKey");
});
