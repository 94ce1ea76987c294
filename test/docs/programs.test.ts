import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import ts from "typescript";
import { expect, it, onTestFinished } from "vitest";
import * as tracking from "../../sdk";
import { engineWithout } from "../sdk/lookups-harness";
import { service } from "../service";
import { blocks, frontPage, guide, readme, reference } from "./readme";

/** The records that the documents' programs look up. */
const seed = {
  websites: [{ domain: "shop.example.com" }, { domain: "customer.example.com" }],
  pixels: [{ name: "Analytics", type: "google-analytics", value: "G-12345" }],
};

const programs = [
  ["README", readme],
  // The first program in JavaScript; test/install/automation.test.ts runs the others.
  ["guide", guide.replace("```js", "```ts")],
  ["front page", frontPage.replace("```typescript", "```ts")],
  ...Object.entries(reference).map(([file, text]) => [file, text.replace("```typescript", "```ts")]),
].flatMap(([name = "", document = ""]) =>
  blocks("ts", document).map((text, at) => [`${name}, program ${at + 1}`, text] as const),
);

it.each(programs)("runs: %s", async (_name, text) => {
  const { url, control, settings } = await service({ apiKey: "k", seed });
  const folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-document-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "tracking.yaml");
  await writeFile(file, blocks("yaml", guide).find((each) => each.includes("websites:")) ?? "");

  const registered: string[] = [];
  await engineWithout(async ({ type, name, inputs }) => {
    registered.push(type);
    const record = control.websites().find(({ domain }) => domain === inputs.domain);
    return { id: `${record?.id ?? name}`, state: inputs };
  });
  const own = { "project:agencyKey": "k", "project:partnersPassword": "k" };
  const config = Object.entries(settings).map(([name, value]) => [`tracking:${name}`, value]);
  pulumi.runtime.setAllConfig({ ...own, ...Object.fromEntries(config) }, ["tracking:apiKey"]);
  const here = text.replaceAll("https://stats.example.com", url);
  await runs(here.replace('"tracking.yaml"', JSON.stringify(file)));
  await pulumi.runtime.disconnect();
  expect([...registered, ...control.requests()].length).toBeGreaterThan(0);
});

/** Runs a program until its exports are known. */
async function runs(text: string): Promise<unknown> {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 },
  });
  const module = { exports: {} };
  const require = createRequire(__filename);
  const load = (name: string) => (name === "pulumi-tracking" ? tracking : require(name));
  new Function("module", "exports", "require", outputText)(module, module.exports, load);
  return new Promise((resolve) => pulumi.output(module.exports).apply(resolve));
}
