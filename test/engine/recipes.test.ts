import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { blocks } from "../docs/readme";
import { useHarness } from "./harness";

const world = useHarness();

/** Another stack with these exports, as its first up leaves them. */
async function writeStack(project: string, name: string, outputs: object): Promise<void> {
  const type = "pulumi:pulumi:Stack";
  const urn = `urn:pulumi:${name}::${project}::${type}::${project}-${name}`;
  const state = JSON.parse(await readFile(world.stateFile, "utf8"));
  state.checkpoint = {
    stack: `organization/${project}/${name}`,
    latest: { ...state.checkpoint.latest, resources: [{ urn, type, custom: false, outputs }] },
  };
  const file = world.project.stateFile(project, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(state));
}

test("the recipes work in one program, end in an empty preview, and leave at a destroy what they say", async () => {
  const recipes = blocks("ts", await readFile("docs/recipes.md", "utf8"));
  const entry = world.form === "native" ? "pulumi-tracking/native" : "pulumi-tracking";
  const modules = recipes.map((text) => {
    const { outputText } = ts.transpileModule(text.replace('"pulumi-tracking"', `"${entry}"`), {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 },
    });
    return outputText;
  });
  await Promise.all(
    modules.map((outputText, at) => world.project.write(`program/recipe-${at}.js`, outputText)),
  );
  await world.program(
    modules.map((_, at) => `Object.assign(exports, require("./recipe-${at}"));\n`).join(""),
  );
  await writeStack("shop", "prod", { mainId: "123" });
  await world.up();
  await world.expectNoDiff();
  const websites = () =>
    world.service
      .websites()
      .map(({ domain }) => domain)
      .sort();
  expect(websites()).toEqual([
    "blog.main.example.com",
    "campaign.example.com",
    "dev.preview.example.com",
    "docs.example.com",
    "event.example.com",
    "main.example.com",
    "reported.example.com",
    "status.example.com",
  ]);
  expect(world.website("reported.example.com")).toMatchObject({ email: 1 });
  const stack = (await world.state()).find(({ type }) => type === "pulumi:pulumi:Stack");
  expect(stack?.outputs).toMatchObject({ mainId: String(world.website("main.example.com").id) });
  expect(world.pixel("Main")).toMatchObject({ value: "GTM-123" });

  await world.unprotect();
  await world.destroy();
  expect(websites()).toEqual([]);
  expect(world.service.pixels().map(({ name }) => name)).toEqual(["Stays"]);
});
