import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { Provider } from "../../sdk";
import { providerSettings } from "../../sdk/provider-settings";
import { engineWithout, look, Thing } from "./lookups-harness";

test("an explicit provider has its settings by their full names, as text, its keys as secrets, and its own name", async () => {
  await engineWithout();
  const settings: Record<string, pulumi.Output<string>> = providerSettings("agency", {
    apiKey: "first-key",
    marketApiKey: "second-key",
    analyticsBaseUrl: "https://a.example",
    dataBaseUrl: "https://d.example",
    headers: { "X-Team": "a", "X-Secret": pulumi.secret("third") },
    requestTimeout: 30,
    allowInsecureHttp: true,
    nothing: "of ours",
  } as object);
  const entries = Object.entries(settings).map(async ([name, output]) => {
    const { value, secret } = await look(output);
    return [name, [value, secret]] as const;
  });
  expect(Object.fromEntries(await Promise.all(entries))).toEqual({
    "tracking:apiKey": ["first-key", true],
    "tracking:marketApiKey": ["second-key", true],
    "tracking:analyticsBaseUrl": ["https://a.example", false],
    "tracking:dataBaseUrl": ["https://d.example", false],
    "tracking:headers": ['{"X-Team":"a","X-Secret":"third"}', true],
    "tracking:requestTimeout": ["30", false],
    "tracking:allowInsecureHttp": ["true", false],
    "tracking:explicit": ["agency", false],
  });
});

test("an explicit provider is known by its type, as policies ask, in either form and of no other package", async () => {
  await engineWithout();
  const isProvider = (name: string) => Provider.isInstance({ __pulumiType: `pulumi:providers:${name}` });
  expect(["pulumi-nodejs", "tracking", "aws"].map(isProvider)).toEqual([true, true, false]);
  for (const other of [undefined, null, {}, new Thing("thing")])
    expect(Provider.isInstance(other)).toBe(false);
});
