import { readFile } from "node:fs/promises";
import ts from "typescript";
import { expect, test } from "vitest";
import { blocks } from "../docs/readme";
import { useHarness } from "./harness";

const world = useHarness();

test("the recipes work in one program, end in an empty preview, and leave at a destroy what they say", async () => {
  const recipes = blocks("ts", await readFile("docs/recipes.md", "utf8"));
  const needsOther = (text: string) => text.includes("StackReference");
  const entry = world.form === "native" ? "pulumi-tracking/native" : "pulumi-tracking";
  const modules = recipes.map((text) => {
    const here = text.replace("organization/shop/prod", "organization/fresh/dev");
    const { outputText } = ts.transpileModule(here.replace('"pulumi-tracking"', `"${entry}"`), {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 },
    });
    return { text, outputText };
  });
  await Promise.all(
    modules.map(({ outputText }, at) => world.project.write(`program/recipe-${at}.js`, outputText)),
  );
  const program = (some: typeof modules) =>
    world.program(
      some.map((each) => `Object.assign(exports, require("./recipe-${modules.indexOf(each)}"));\n`).join(""),
    );

  // What a stack exports is there after its first up.
  await program(modules.filter(({ text }) => !needsOther(text)));
  await world.up();
  await program(modules);
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
  const { id } = world.website("main.example.com");
  expect(world.pixel("Main")).toMatchObject({ value: `GTM-${id}` });

  await world.unprotect();
  await world.destroy();
  expect(websites()).toEqual([]);
  expect(world.service.pixels().map(({ name }) => name)).toEqual(["Stays"]);
});
