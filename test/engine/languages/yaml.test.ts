import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { blocks, languages } from "../../docs/readme";
import { PLUGIN } from "../fresh-project";
import { KEY, useHarness } from "../harness";
import { argsOf, languageStory } from "./story";

const HEAD = `name: fresh\nruntime: yaml\n${PLUGIN}`;
const HOST = "pulumi-language-yaml";

const world = useHarness({ files: { "Pulumi.yaml": HEAD } }, "native");

const ITEMS = "  found:\n    fn::invoke: { function: tracking:index:getItems, arguments: {} }\n";

/** The program of a stage. */
function program(stage: string): string {
  if (stage === "forgotten") return `${HEAD}variables:\n${ITEMS}outputs:\n  items: \${found.items}\n`;
  const second = stage === "made" ? "192.0.2.2" : "192.0.2.3";
  return `${HEAD}resources:
  shop:
    type: tracking:Website
    properties:
      domain: shop.example.com
      privacy: password
      password: pass word
      excludeIps: ["192.0.2.1", "${second}"]
${stage === "released" ? "      deletionProtection: false\n" : ""}  ga:
    type: tracking:Pixel
    properties: { name: GA, type: google-analytics, value: G-1 }
variables:
${ITEMS}  same:
    fn::invoke: { function: tracking:index:getWebsite, arguments: { id: "\${shop.id}" } }
outputs:
  domain: \${same.domain}
  privacy: \${shop.privacy}
  items: \${found.items}
`;
}

/** Why no program in Pulumi YAML can be run here, or nothing. */
function missing(): string | undefined {
  const folders = (world.project.env.PATH ?? "").split(delimiter);
  if (folders.some((folder) => existsSync(join(folder, HOST)))) return undefined;
  return `No program in Pulumi YAML can be run here: there is no ${HOST} on PATH`;
}

it("the documents' example in YAML runs as it is written", async ({ skip }) => {
  if (missing() !== undefined) return skip(missing());
  const [example = ""] = blocks("yaml", languages).filter((text) => text.includes("resources:"));
  await world.project.write("Pulumi.yaml", example.replace(/^name: .*\nruntime: yaml\n/, HEAD));
  await world.up();
  expect(await world.website("shop.example.com")).toMatchObject({ exclude_ips: "192.0.2.0/24" });
});

it("a program in Pulumi YAML previews, creates, looks up, changes, is protected, and deletes", async ({
  skip,
}) => {
  if (missing() !== undefined) return skip(missing());
  const { url } = world.service;
  await world.configure({ url, key: KEY, plain: { marketBaseUrl: url } });
  await languageStory(world, async (command, stage, fails) => {
    await world.project.write("Pulumi.yaml", program(stage));
    return fails ? world.fail(argsOf(command)) : world.run(argsOf(command));
  });
});
