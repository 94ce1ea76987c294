import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { environmentName, settingNames } from "../../provider/config";
import { homeOf } from "../../tools/schema/home.mjs";
import { blocks, frontPage, languages } from "./readme";

/** Of a repository on GitHub, until package.json names the real one. */
const SLUG = "OWNER/pulumi-tracking";
const PAGES = ["_index.md", "installation-configuration.md"] as const;
/** What its check of pages finds, since its site would not show it. */
const LINT = [
  /<img[^>]+src=["'](\.|\/|[^hH])/,
  /!\[[^\]]*\]\((\.|\/)/,
  /<a[^>]+href="(\.|\/)/,
  /\]\((?!https?:\/\/)[^)]*\.md[)#]/,
];

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const home = homeOf({ repository: { url: `git+https://github.com/${SLUG}.git` }, ...manifest });
const textOf = (name: (typeof PAGES)[number]) => readFileSync(`docs/${name}`, "utf8");

/** The text before the page, as the registry's site reads it. */
const frontMatter = (page = "") => parse(page.match(/^---\n([\s\S]*?)\n---\n/)?.[1] ?? "");

it.each(PAGES)("docs/%s is a page that the registry's site can show", (name) => {
  const page = textOf(name);
  expect(frontMatter(page)).toEqual({
    title: expect.any(String),
    meta_desc: expect.any(String),
    layout: "package",
  });
  for (const line of page.split("\n")) for (const each of LINT) expect(line).not.toMatch(each);
  // With a blank, the whole site is not built.
  expect(page).not.toMatch(/\{\{\s+[<%]/);
});

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
  for (const text of [textOf("installation-configuration.md"), languages]) {
    const commands = blocks("bash", text).join("");
    expect(commands).toContain(`pulumi package add tracking@${version} --server ${address}\n`);
  }
  expect(blocks("bash", textOf("installation-configuration.md")).join("")).toContain(
    `pulumi plugin install resource tracking ${version} --server ${address}\n`,
  );
});

it("the page on installation names every setting, and the npm package", () => {
  const page = textOf("installation-configuration.md");
  expect(page).toContain(`npmjs.com/package/${manifest.name}`);
  const rows = [...page.matchAll(/^\| `tracking:(\w+)`[^|]*\| `(\w+)` \|/gm)];
  expect(rows.map(([, ...row]) => row)).toEqual(settingNames.map((each) => [each, environmentName(each)]));
});
