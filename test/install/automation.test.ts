import { readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { run, start } from "../../tools/child.mjs";
import { createProject, type Project } from "../../tools/project.mjs";
import { blocks, guide, recipes } from "../docs/readme";
import { environmentFor, KEY } from "../engine/fresh-project";
import { service } from "../service";

const [first = ""] = blocks("js", guide);
const [mocks = "", local = "", deploy = ""] = blocks("js", recipes);

describe("the documents' programs that run without the command pulumi", () => {
  let project: Project;
  beforeAll(async () => {
    const files = { "index.js": first, "shop.test.mjs": mocks, "up.test.mjs": local, "deploy.mjs": deploy };
    project = await createProject({ like: inject("installed"), files });
    return () => project.remove();
  });

  it("test the first program with mocks, and fail if it declares a public website", async () => {
    const tests = () => run("node", ["--test", "shop.test.mjs"], { cwd: project.folder, env: project.env });
    await tests();
    await project.write("index.js", first.replace('.com"', '.com", privacy: "public"'));
    await expect(tests()).rejects.toThrow("the shop is declared, and not public");
    await project.write("index.js", first);
  });

  it("test it with the local service too, and leave a real one alone, to which the environment and the stacks of the project lead, and no file behind", async () => {
    const real = await service({ apiKey: KEY });
    const leads = Object.entries(environmentFor(real.url));
    const lines = ["analyticsBaseUrl", "dataBaseUrl", "apiKey", "analyticsApiKey"].map(
      (name) => `  tracking:${name}: ${/Key$/.test(name) ? KEY : real.url}\n`,
    );
    const stacks = ["dev", "test", "prod"].map((name) => `Pulumi.${name}.yaml`);
    for (const file of stacks) await project.write(file, `config:\n${lines.join("")}`);
    const before = await readdir(project.folder);
    const env = { ...project.env, ...Object.fromEntries(leads) };
    await run("node", ["--test"], { cwd: project.folder, env });
    expect(real.control.requests()).toEqual([]);
    expect(await readdir(project.folder)).toEqual(before);
    for (const file of stacks) {
      expect(await readFile(join(project.folder, file), "utf8")).toBe(`config:\n${lines.join("")}`);
      await rm(join(project.folder, file));
    }
  });

  it("deploy by the Automation API, from another folder too, and fail there without workDir", async () => {
    // It needs none.
    await rm(join(project.folder, "Pulumi.yaml"));
    const emulator = await service({ apiKey: KEY });
    const env = { ...project.env, ...environmentFor(emulator.url) };
    const deploys = () =>
      start("node", [join(project.folder, "deploy.mjs")], { cwd: tmpdir(), env }).finished;
    const { code, stdout } = await deploys();
    const [shop] = emulator.control.websites();
    expect([code, stdout, shop?.domain]).toEqual([0, `succeeded ${shop?.id}\n`, "shop.example.com"]);

    const [, message = "none"] = /fails with\n`([^`]+)`/.exec(recipes) ?? [];
    await project.write("deploy.mjs", deploy.replace("workDir: import.meta.dirname,", ""));
    const failed = await deploys();
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});
