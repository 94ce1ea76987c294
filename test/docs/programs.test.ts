import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { expect, it, onTestFinished } from "vitest";
import { connectEmulator, startEmulator } from "../../emulator";
import { blocks, guide, readme, transformation } from "./readme";
import { runs } from "./run";

/** The records that the documents' programs look up. */
const websites = [{ domain: "shop.example.com" }, { domain: "customer.example.com" }];

const programs = [
  ["README", readme],
  ["guide", guide],
].flatMap(([name = "", document = ""]) =>
  blocks("ts", document)
    .filter((text) => text !== transformation)
    .map((text, at) => [`${name}, program ${at + 1}`, text, document] as const),
);

it.each(programs)("runs: %s", async (_name, text, document) => {
  const emulator = await startEmulator({ apiKey: "k", rateLimit: false });
  onTestFinished(() => emulator.close());
  const service = connectEmulator(emulator.url);
  await service.seed({ websites });
  const folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-document-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "tracking.yaml");
  await writeFile(file, blocks("yaml", document).find((each) => each.includes("websites:")) ?? "");

  const registered: string[] = [];
  await pulumi.runtime.setMocks({
    newResource: ({ type, name, inputs }) => {
      registered.push(type);
      return { id: `${name}-id`, state: inputs };
    },
    call: () => ({}),
  });
  const own = ["agencyKey", "secondKey", "partnersPassword", "shopPassword"];
  const services = ["analytics", "data", "market"].map((name) => [`tracking:${name}BaseUrl`, emulator.url]);
  pulumi.runtime.setAllConfig(
    Object.fromEntries([
      ...own.map((name) => [`project:${name}`, "k"]),
      ...services,
      ["tracking:apiKey", "k"],
    ]),
    ["tracking:apiKey"],
  );
  const here = text.replaceAll("https://stats.example.com", emulator.url);
  await runs(here.replace('"tracking.yaml"', JSON.stringify(file)));
  await pulumi.runtime.disconnect();
  expect([...registered, ...(await service.requests())].length).toBeGreaterThan(0);
});
