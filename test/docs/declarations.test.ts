import { expect, it } from "vitest";
import { catalogue } from "../../provider/resources";
import { DeclarationError, readDeclarations } from "../../sdk/declarations/file";
import { optionsOf } from "../../sdk/declarations/options";
import { blocks, guide, readme } from "./readme";

const surroundings = { file: "tracking.yaml", catalogue, isConfigured: () => true };

it.each([
  ["README", readme, ["websites.shop", "pixels.ga"]],
  ["guide", guide, ["websites.shop", "websites.partners", "pixels.ads"]],
])(
  "in the %s is a file that can be declared, with its schema in the first line",
  (_name, document, paths) => {
    const text = declarations(document);
    expect(readDeclarations(text, surroundings).map(({ path }) => path)).toEqual(paths);
    expect(text).toMatch(
      /^# yaml-language-server: \$schema=node_modules\/pulumi-tracking\/dist\/tracking\.schema\.json\n/,
    );
  },
);

it("shows in the guide the message for an error in the guide's file", () => {
  const mistaken = declarations(guide).replace("excludeIps", "exludeIps");
  expect(() => readDeclarations(mistaken, surroundings)).toThrow(DeclarationError);
  expect(() => readDeclarations(mistaken, surroundings)).toThrow(blocks("text", guide)[0]?.trim() ?? "");
});

function declarations(document: string): string {
  return blocks("yaml", document).find((each) => each.includes("websites:")) ?? "";
}

it.each(catalogue)("names every option that a file can set for $type", (resource) => {
  const [, section = ""] = readme.split("\n## Declarations in YAML\n");
  const line = section.slice(section.indexOf("- `options` can be"));
  for (const name of Object.keys(optionsOf(resource))) expect(line).toContain(`\`${name}\``);
});
