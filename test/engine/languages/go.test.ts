import { cp, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inject, it } from "vitest";
import { CommandFailed, run, start } from "../../../tools/child.mjs";
import { blocks, languages } from "../../docs/readme";
import { PLUGIN } from "../fresh-project";
import { KEY, useHarness } from "../harness";
import { generatePackage, languageStory, missingHost } from "./story";

const world = useHarness({ files: { "Pulumi.yaml": `name: fresh\nruntime: go\n${PLUGIN}` } }, "native");

/** Compiles the program, and the example of the documents, with the generated package; returns the executable. */
async function compiled(): Promise<string> {
  const folder = await mkdtemp(join(inject("projects"), "go-"));
  await cp(join(__dirname, "go"), folder, { recursive: true });
  await generatePackage("go", join(folder, "sdk"), world.project.env);
  await mkdir(join(folder, "example"));
  await writeFile(join(folder, "example", "main.go"), blocks("go", languages).join(""));
  await run("go", ["build", "-mod=readonly", "-o", "bin/", ".", "./example"], { cwd: folder });
  return join(folder, "bin", "program");
}

it("an inline program in Go previews, creates, looks up, changes, is protected, and deletes", async ({
  skip,
}) => {
  const go = await run("go", ["version"]).catch((error: Error) => error);
  if (go instanceof Error) return skip(`No program in Go can be compiled here: ${go.message}`);
  const missing = missingHost("go", world.project.env);
  if (missing !== undefined) return skip(missing);
  const program = await compiled();
  const { url } = world.service;
  await world.configure({ url, key: KEY, plain: { marketBaseUrl: url } });
  await languageStory(world, async (command, stage, fails = false) => {
    const { env, folder } = world.project;
    const since = await world.service.mark();
    const finished = await start(program, [command, stage], { cwd: folder, env }).finished;
    if ((finished.code !== 0) !== fails) throw new CommandFailed(`${command} of stage ${stage}`, finished);
    return world.ranSince(since, finished);
  });
});
