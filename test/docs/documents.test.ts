import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { settingNames } from "../../provider/config";
import { catalogue } from "../../provider/resources";
import { readDeclarations } from "../../sdk/declarations/file";
import { optionFields } from "../../sdk/declarations/options";
import { OLDEST_ENGINE, PINNED_ENGINE } from "../../tools/engine/version.mjs";
import { ROOT } from "../../tools/root.mjs";
import { commandsIn, unknownWords } from "./commands";
import { brokenLinks } from "./links";
import { blocks, codes, guide, readme, reference } from "./readme";

const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");
const architecture = textOf("ARCHITECTURE.md");
const manifest = JSON.parse(textOf("package.json"));

describe("the README", () => {
  it("shows the program that the demo runs", () => {
    const quickstart = readFileSync(join(ROOT, "examples", "quickstart", "index.ts"), "utf8");
    expect(blocks("ts")[1]).toBe(quickstart);
  });

  it("shows exactly the operations that ARCHITECTURE lists", () => {
    const named = [...(blocks("text")[0] ?? "").matchAll(/^([A-Z, ]+?)\s+(\/\S+)/gm)];
    const used = [...architecture.matchAll(/^\|[^|]+\| `([A-Z]+ \/[^`]+)` \|/gm)].map(
      ([, operation]) => operation,
    );
    expect(
      named.flatMap(([, methods = "", path]) => methods.split(", ").map((each) => `${each} ${path}`)).sort(),
    ).toEqual(used.sort());
  });

  it("names the tarball that packing makes", () => {
    const named = new Set(readme.match(/pulumi-tracking-[\d.]+\.tgz/g));
    expect([...named]).toEqual([`${manifest.name}-${manifest.version}.tgz`]);
  });

  it("names the engines that are tested: CI's oldest, and the newest, which the examples use in CI", () => {
    expect(readme).toMatch(new RegExp(`and Pulumi\\s${OLDEST_ENGINE} to ${PINNED_ENGINE}\\. `));
    expect(textOf(".github/workflows/ci.yml")).toContain(`PULUMI_ENGINE_VERSION: ${OLDEST_ENGINE}\n`);
    const jobs = ["tracking-in-git/.gitlab-ci.yml", "tracking-in-git/.github/workflows/tracking.yml"];
    for (const file of [...jobs, "python/.github/workflows/tracking.yml"]) {
      const named = textOf(`examples/${file}`).matchAll(/(?:pulumi-version: |pulumi-nodejs-\d+:)(\S+)/g);
      expect([...new Set([...named].map(([, version]) => version))]).toEqual([PINNED_ENGINE]);
    }
  });
});

it("ARCHITECTURE names every direct dependency", () => {
  const [, below = ""] = architecture.split("\n## Dependencies\n");
  const [section] = below.split("\n## ");
  expect(codes(section)).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)));
});

describe("the guide and the reference", () => {
  const declarations = reference["docs/reference/declarations.md"] ?? "";
  const file = blocks("yaml", guide).find((each) => each.includes("websites:")) ?? "";
  const pathsIn = (text: string) =>
    readDeclarations([{ file: "tracking.yaml", text }], catalogue, String, () => {}).map(({ path }) => path);

  it("have a file that can be declared, and the message for a mistake in it", () => {
    expect(pathsIn(file)).toEqual(["websites.shop", "websites.partners", "pixels.ads"]);
    const [message = "none"] = blocks("text", declarations).filter((text) =>
      text.startsWith("tracking.yaml:"),
    );
    expect(() => pathsIn(file.replace("excludeIps", "exludeIps"))).toThrow(message.trim());
  });

  it.each(catalogue)("name every option that a file can set for $type", (resource) => {
    const [line = ""] = /^- `options` can be [^:]*/m.exec(declarations) ?? [];
    expect(codes(line)).toEqual(expect.arrayContaining(Object.keys(optionFields(resource))));
  });
});

describe.each([
  "README.md",
  "docs/guide.md",
  "docs/recipes.md",
  "docs/limits.md",
  "docs/promises.md",
  "docs/other-languages.md",
  "test/reliability.md",
  "docs/_index.md",
  "docs/installation-configuration.md",
  ...Object.keys(reference),
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "test/README.md",
  "CHANGELOG.md",
  "SECURITY.md",
])("%s", (file) => {
  const text = readFileSync(join(ROOT, file), "utf8");

  it("names only commands and options that the program's help has", () => {
    expect(unknownWords(commandsIn(text))).toEqual([]);
  });

  it("names only settings that exist", () => {
    const named = [...text.matchAll(/(?<!\/)\btracking:(?!index:)([a-z]\w*)/g)].map(([, name]) => name);
    expect(settingNames).toEqual(expect.arrayContaining(named));
  });

  it("has no broken link to a file of the repository", () => {
    expect(brokenLinks(file, text)).toEqual([]);
  });

  it("has no comment after a command, which zsh would take for arguments", () => {
    const lines = blocks("bash", text).flatMap((block) => block.split("\n"));
    expect(lines.filter((line) => /(^|\s)#/.test(line))).toEqual([]);
  });
});
