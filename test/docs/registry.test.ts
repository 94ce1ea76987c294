import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { environmentName, settingNames } from "../../provider/config";
import { homeOf } from "../../tools/schema/home.mjs";
import { blocks, frontPage, languages, reference } from "./readme";

/** Of a repository on GitHub, until package.json names the real one. */
const SLUG = "OWNER/pulumi-tracking";
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const home = homeOf({ repository: { url: `git+https://github.com/${SLUG}.git` }, ...manifest });
const installation = readFileSync("docs/installation-configuration.md", "utf8");

it("the schema has a program of every resource and look-up in every language that the front page names, and of a resource the reference's", () => {
  const [, offered = ""] = /in ([^.]+)\.$/m.exec(frontPage.split("API docs")[1] ?? "") ?? [];
  const { resources, functions, provider } = JSON.parse(readFileSync("schema.json", "utf8"));
  const named = offered
    .toLowerCase()
    .replace("c#", "csharp")
    .split(/, | and /);
  expect(named).toEqual(["typescript", "python", "go", "csharp", "java", "yaml"]);
  const shown = Object.entries<{ description: string }>({ ...resources, ...functions, provider });
  for (const [token, { description }] of shown)
    for (const language of named) {
      expect(blocks(language, description), `${token} in ${language}`).toHaveLength(1);
      if (token in resources && language !== "csharp" && language !== "java")
        expect(reference[`docs/reference/${token.split(":")[2]?.toLowerCase()}.md`]).toContain(
          blocks(language, description)[0],
        );
    }
});

it("the pages on installation install this version from the address of its repository", () => {
  const address = home.pluginDownloadURL;
  const { version } = manifest;
  for (const text of [installation, languages]) {
    const commands = blocks("bash", text).join("");
    expect(commands).toContain(`pulumi package add tracking@${version} --server ${address}\n`);
  }
  expect(blocks("bash", installation).join("")).toContain(
    `pulumi plugin install resource tracking ${version} --server ${address}\n`,
  );
});

it("the page on installation names every setting, and the npm package", () => {
  expect(installation).toContain(`npmjs.com/package/${manifest.name}`);
  const rows = [...installation.matchAll(/^\| `tracking:(\w+)`[^|]*\| `(\w+)` \|/gm)];
  expect(rows.map(([, ...row]) => row)).toEqual(settingNames.map((each) => [each, environmentName(each)]));
});
