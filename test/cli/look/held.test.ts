import { expect, test } from "vitest";
import { baseUrlFor, formOfStack, heldRecords, providersIn } from "../../../cli/look/held";
import { website } from "../../../provider/resources";
import type { Values } from "../../../provider/schema/resource";

const provider = (type: string, name: string, inputs: object) => ({
  type: `pulumi:providers:${type}`,
  urn: `urn:pulumi:dev::shop::pulumi:providers:${type}::${name}`,
  inputs: { ...inputs },
});

test("the settings of a stack's last up are its own, and not those of an explicit provider, whatever its name", () => {
  const theirs = { "tracking:explicit": "their-provider", "tracking:apiKey": "theirs" };
  const resources = [
    provider("aws", "default", { apiKey: "of another package" }),
    provider("pulumi-nodejs", "their-provider", theirs),
    provider("pulumi-nodejs", "default", { "tracking:dataApiKey": "ours" }),
    provider("tracking", "default", { explicit: "true", apiKey: "named default", requestTimeout: 5 }),
    provider("tracking", "default_0_1_0", { apiKey: "ours, native", version: "0.1.0" }),
  ];
  const { own, explicit } = providersIn({ resources });
  const keys = ["apiKey", "dataApiKey", "explicit"] as const;
  expect(keys.map(own.get)).toEqual(["ours, native", "ours", undefined]);
  const seen = [...explicit.values()].map((each) =>
    ["explicit", "apiKey", "requestTimeout"].map((key) => each.get(key)),
  );
  expect(seen).toEqual([
    ["their-provider", "theirs", undefined],
    ["default", "named default", "5"],
  ]);
});

test("a stack that moves to the plugin is native, and other packages' resources do not count", () => {
  const own = (type: string) => ({ urn: "", type });
  const [dynamic, native] = [own("pulumi-nodejs:dynamic/tracking:Pixel"), own("tracking:index:Website")];
  expect(formOfStack({ resources: [own("aws:s3:Bucket")] })).toBeUndefined();
  expect(formOfStack({ resources: [own("aws:s3:Bucket"), dynamic] })).toBe("dynamic");
  expect(formOfStack({ resources: [dynamic, native] })).toBe("native");
});

test.each([
  ["https://stats.example//", "https://stats.example"],
  ["HTTPS://Stats.Example:443/Track", "https://stats.example/Track"],
  ["http://LOCALHOST:80", "http://localhost"],
  [" https://b\u00fccher.example ", "https://xn--bcher-kva.example"],
  ["nowhere/", "nowhere"],
])("every spelling of an address is one address: %s", (written, canonical) => {
  const get = (key: string) => (key === "analyticsBaseUrl" ? written : undefined);
  expect(baseUrlFor(website, { get })).toBe(canonical);
});

test.each<[string, Values, Values, boolean]>([
  ["true", { deletionProtection: true }, {}, true],
  ["false", { deletionProtection: false }, {}, false],
  ["lifted without an update", { deletionProtection: false }, { deletionProtection: true }, false],
  ["omitted", {}, { deletionProtection: true }, true],
  ["imported without it", {}, {}, true],
])("the plugin protects by the arguments, as it does itself: %s", (name, inputs, outputs, isProtected) => {
  const state = (type: string) => {
    return {
      type,
      urn: `urn:pulumi:dev::shop::${type}::${name}`,
      id: "1",
      inputs: { ...inputs },
      outputs: { ...outputs },
    };
  };
  const types = ["tracking:index:Website", "tracking:index:Pixel", "pulumi-nodejs:dynamic/tracking:Website"];
  const held = heldRecords({ resources: types.map(state) }, { get: () => undefined });
  expect(held.map((each) => each.isProtected)).toEqual([isProtected, false, false]);
});
