import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "vitest";
import { PLUGIN } from "../fresh-project";
import { KEY, useHarness } from "../harness";
import { languageStory } from "./story";
import { pythonEnvironment } from "./virtualenv";

const world = useHarness(
  { files: { "Pulumi.yaml": `name: fresh\nmain: program\nruntime: python\n${PLUGIN}` } },
  "native",
);

it("a program in Python previews, creates, looks up, changes, is protected, and deletes", async ({
  skip,
}) => {
  const python = await pythonEnvironment(world.project.env).catch((error: Error) => error);
  if (python instanceof Error) return skip(`No program in Python can be run here: ${python.message}`);
  const main = join("python", "__main__.py");
  await copyFile(join(__dirname, main), join(world.project.folder, "program", "__main__.py"));
  const { url } = world.service;
  await world.configure({ url, key: KEY, plain: { marketBaseUrl: url } });
  await languageStory(world, (command, stage, fails) => {
    const args = command === "preview" ? [command] : [command, "--yes", "--skip-preview"];
    const options = { env: { ...python, STAGE: stage } };
    return fails ? world.fail(args, options) : world.run(args, options);
  });
});
