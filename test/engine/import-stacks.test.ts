import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Report } from "../../cli/doctor/report";
import { KEY, useHarness } from "./harness";
import { importing, installed } from "./importing";

/** The program of each stack is a separate file of declarations. */
const world = useHarness();
const PROGRAM = `const fs = require("fs");
const file = pulumi.getStack() + ".yaml";
if (fs.existsSync(file)) tracking.declareFrom(file);
`;

async function doctor(...args: string[]): Promise<{ code: number | null; report: Report }> {
  const { code, stdout, stderr } = await installed(world, ["doctor", "--json", ...args]).finished;
  expect(stderr).toBe("");
  return { code, report: JSON.parse(stdout) as Report };
}

/** Another stack than the selected one, with the same settings. */
async function stackBeside(name: string): Promise<void> {
  await world.project.pulumi(["stack", "init", name, "--no-select"]);
  onTestFinished(async () => {
    await world.project.pulumi(["stack", "rm", name, "--yes", "--force"]);
    await world.project.pulumi(["stack", "select", "dev"]);
  });
  const { url } = world.service;
  const config = ["config", "set-all", "--stack", name, "--secret", `tracking:apiKey=${KEY}`];
  const urls = ["analytics", "data"].flatMap((each) => ["--plaintext", `tracking:${each}BaseUrl=${url}`]);
  await world.project.pulumi([...config, ...urls]);
}

/** The records of the account that each stack imports; no stack imports the old blog. */
const parts = [
  { name: "dev", filters: ["--match", "*.shop.example", "--match", "Shop *"], holds: 3 },
  { name: "blog", filters: ["--from", "blog.txt", "--exclude", "old.*"], holds: 2 },
  {
    name: "rest",
    filters: ["*.shop.example", "Shop *", "*.blog.example", "Blog *"].flatMap((each) => ["--exclude", each]),
    holds: 3,
  },
];

test("three stacks share an account, each imports its part by filters, and the doctor finds no problem", async () => {
  const domains = [
    "a.shop.example",
    "b.shop.example",
    "www.blog.example",
    "old.blog.example",
    "bücher.example",
  ];
  for (const domain of domains) await world.service.insertWebsite({ domain, privacy: 1 });
  for (const name of ["Shop GA", "Blog GA", "GTM", "Ads"]) await world.service.insertPixel({ name });
  const { folder } = world.project;
  await writeFile(join(folder, "blog.txt"), "# the blog's part\n*.blog.example\n\nblog ga\n");
  await world.program(PROGRAM);
  await world.service.clearRequests();

  for (const { name, filters, holds } of parts) {
    if (name !== "dev") await stackBeside(name);
    const out = join("program", `${name}.yaml`);
    onTestFinished(() => rm(join(folder, out), { force: true }));
    const args = ["--stack", name, "--format", "yaml", "--out", out, ...filters];
    const { stdout, stderr, code } = await importing(world, ["--apply", ...args]).finished;
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`${holds} imported.`);
    await world.run(["preview", "--expect-no-changes", "--stack", name]);
  }

  const all = await doctor("--all-stacks");
  expect(all.code).toBe(0);
  const loose = all.report.findings.filter(({ code }) => code === "unmanaged");
  expect(loose.map(({ severity, message }) => [severity, message.includes("old.blog.example")])).toEqual([
    ["warning", true],
  ]);
  await world.service.deleteWebsite((await world.website("old.blog.example")).id);
  const clean = await doctor("--all-stacks");
  expect(clean.report.findings.filter(({ severity }) => severity !== "info")).toEqual([]);
  const alone = await doctor("--stacks", "blog");
  expect(alone.code).toBe(0);
  const elsewhere = alone.report.findings.filter(({ code }) => code === "unmanaged");
  expect(elsewhere.map(({ severity }) => severity)).toEqual(Array(6).fill("info"));
  expect((await world.service.requests()).filter(({ method }) => method !== "GET")).toEqual([]);
});
