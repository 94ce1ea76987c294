import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { blocks, languages } from "../../docs/readme";
import { PLUGIN } from "../fresh-project";
import { KEY, useHarness } from "../harness";
import { argsOf, languageStory, missingHost } from "./story";
import { pythonEnvironment } from "./virtualenv";

const world = useHarness(
  { files: { "Pulumi.yaml": `name: fresh\nmain: program\nruntime: python\n${PLUGIN}` } },
  "native",
);

/** Sets the project up for a program in Python, or says why there can't be one. */
async function prepared(): Promise<{ message: string } | undefined> {
  const message = missingHost("python", world.project.env);
  if (message !== undefined) return { message };
  const python = await pythonEnvironment(world.project.env).catch((error: Error) => error);
  if (python instanceof Error) return new Error(`No program in Python can be run here: ${python.message}`);
  world.project.env = python;
  const { url } = world.service;
  await world.configure({ url, key: KEY, plain: { marketBaseUrl: url } });
  return undefined;
}

it("a program in Python previews, creates, looks up, changes, is protected, and deletes", async ({
  skip,
}) => {
  const missing = await prepared();
  if (missing !== undefined) return skip(missing.message);
  const main = join("python", "__main__.py");
  await copyFile(join(__dirname, main), join(world.project.folder, "program", "__main__.py"));
  await languageStory(world, (command, stage, fails) => {
    const options = { env: { STAGE: stage } };
    return fails ? world.fail(argsOf(command), options) : world.run(argsOf(command), options);
  });
});

it("the documents' example in Python runs as it is written", async ({ skip }) => {
  const missing = await prepared();
  if (missing !== undefined) return skip(missing.message);
  await world.project.write("program/__main__.py", blocks("python", languages).join(""));
  await world.up();
  expect(await world.website("shop.example.com")).toMatchObject({ exclude_ips: "192.0.2.0/24" });
  expect(await world.pixel("Analytics")).toMatchObject({ type: "google-analytics", value: "G-12345" });
});
