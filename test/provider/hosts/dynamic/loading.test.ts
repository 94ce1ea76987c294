import { createRequire } from "node:module";
import { expect, test, vi } from "vitest";

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
