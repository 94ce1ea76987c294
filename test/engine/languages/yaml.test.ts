import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { it } from "vitest";
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

it("a program in Pulumi YAML previews, creates, looks up, changes, is protected, and deletes", async ({
  skip,
}) => {
  const folders = (world.project.env.PATH ?? "").split(delimiter);
  if (!folders.some((folder) => existsSync(join(folder, HOST))))
    return skip(`No program in Pulumi YAML can be run here: there is no ${HOST} on PATH`);
  const { url } = world.service;
  await world.configure({ url, key: KEY, plain: { marketBaseUrl: url } });
  await languageStory(world, async (command, stage, fails) => {
    await world.project.write("Pulumi.yaml", program(stage));
    return fails ? world.fail(argsOf(command)) : world.run(argsOf(command));
  });
});
