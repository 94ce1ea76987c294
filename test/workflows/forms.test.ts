import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../../tools/root.mjs";

const GITHUB = join(ROOT, ".github");
const read = async (...place: string[]) => parse(await readFile(join(GITHUB, ...place), "utf8"));

interface Form {
  name?: string;
  description?: string;
  body: { type: string; id?: string; attributes?: { label?: string } }[];
}

it("every form for an issue has what GitHub requires, and asks each question once", async () => {
  const names = (await readdir(join(GITHUB, "ISSUE_TEMPLATE"))).filter((name) => name !== "config.yml");
  expect(names.sort()).toEqual(["bug.yml", "feature.yml"]);
  for (const file of names) {
    const { name, description, body }: Form = await read("ISSUE_TEMPLATE", file);
    expect([file, typeof name, typeof description]).toEqual([file, "string", "string"]);
    const questions = body.filter(({ type }) => type !== "markdown");
    for (const { id, attributes } of questions)
      expect([file, typeof id, typeof attributes?.label]).toEqual([file, "string", "string"]);
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
  }
});

it("updates are looked for in folders that hold a list of dependencies", async () => {
  const files: Record<string, string> = {
    npm: "package-lock.json",
    gomod: "go.mod",
    "github-actions": ".github/workflows",
  };
  const { updates } = await read("dependabot.yml");
  const places = updates.flatMap(
    (update: { "package-ecosystem": string; directory?: string; directories?: string[] }) =>
      (update.directories ?? [update.directory ?? ""]).map((folder) =>
        join(ROOT, folder, files[update["package-ecosystem"]] ?? "unknown"),
      ),
  );
  expect(places.length).toBeGreaterThanOrEqual(4);
  expect(places.filter((place: string) => !existsSync(place))).toEqual([]);
});

it("the form of a pull request names commands that exist", async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const text = await readFile(join(GITHUB, "pull_request_template.md"), "utf8");
  const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script = ""]) => script);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((script) => !(script in scripts))).toEqual([]);
});
