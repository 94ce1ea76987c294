import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, it, onTestFinished } from "vitest";
import { createProject } from "../../tools/project.mjs";
import { LEAN } from "../engine/fresh-project";
import { KEY } from "../engine/harness";
import { service } from "../service";

it("declares a website for each entry of a list in the JavaScript example, and one more for a new entry", async () => {
  const { url, control } = await service({ apiKey: KEY });
  const project = await createProject({ from: "examples/site-list", like: inject("installed") });
  onTestFinished(() => project.remove());
  const env = { ...LEAN, TRACKING_API_KEY: KEY, TRACKING_ANALYTICS_BASE_URL: url };
  const up = () => project.pulumi(["up", "--yes", "--skip-preview"], { env });

  await up();
  const first = control.websites();
  const domains = first.map(({ domain }) => domain).sort();
  expect(domains).toEqual(["blog.example.com", "help.example.com", "shop.example.com"]);
  expect(first.filter(({ privacy }) => privacy === 0)).toMatchObject([{ domain: "blog.example.com" }]);

  const sites = JSON.parse(await readFile(join(project.folder, "sites.json"), "utf8"));
  const more = { ...sites, news: { domain: "news.example.com" } };
  await project.write("sites.json", JSON.stringify(more));
  control.clearRequests();
  await up();
  const written = control.requests().filter(({ method }) => method !== "GET");
  expect(written).toMatchObject([{ method: "POST", form: { domain: "news.example.com" } }]);
});
