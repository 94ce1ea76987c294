import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { environmentName, settingNames } from "../../provider/config";
import { homeOf } from "../../tools/schema/home.mjs";
import { blocks, frontPage, languages } from "./readme";

/** Of a repository on GitHub, until package.json names the real one. */
const SLUG = "OWNER/pulumi-tracking";
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const home = homeOf({ repository: { url: `git+https://github.com/${SLUG}.git` }, ...manifest });
const installation = readFileSync("docs/installation-configuration.md", "utf8");

it("the front page has a program in every language that it offers, those of the page on other languages", () => {
  const [, offered = ""] = /chooser language "([^"]+)"/.exec(frontPage) ?? [];
  expect([...frontPage.matchAll(/^\{\{% choosable language (\w+) %\}\}$/gm)].map(([, each]) => each)).toEqual(
    offered.split(","),
  );
  for (const language of offered.split(",")) expect(blocks(language, frontPage), language).toHaveLength(1);
  for (const language of ["python", "go"])
    expect(blocks(language, frontPage)).toEqual(blocks(language, languages));
  expect(languages).toContain(blocks("yaml", frontPage)[0]);
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
