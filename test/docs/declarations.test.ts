import { expect, it } from "vitest";
import { catalogue } from "../../provider/resources";
import { readDeclarations } from "../../sdk/declaration/file";
import { optionsOf } from "../../sdk/declaration/options";
import { blocks, readme } from "./readme";

it("shows a file of declarations that can be declared, with its schema in the first line", () => {
  const text = blocks("yaml").find((each) => each.includes("websites:")) ?? "";
  const surroundings = { file: "tracking.yaml", catalogue, isConfigured: () => true };
  expect(readDeclarations(text, surroundings).map(({ path }) => path)).toEqual([
    "websites.shop",
    "pixels.ga",
  ]);
  expect(text).toMatch(
    /^# yaml-language-server: \$schema=node_modules\/pulumi-tracking\/dist\/tracking\.schema\.json\n/,
  );
});

it.each(catalogue)("names every option that a file can say of $type", (resource) => {
  const [, section = ""] = readme.split("\n## Declarations in YAML\n");
  const line = section.slice(section.indexOf("- `options` can be"));
  for (const name of Object.keys(optionsOf(resource))) expect(line).toContain(`\`${name}\``);
});
