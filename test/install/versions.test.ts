import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, inject, it, onTestFinished } from "vitest";
import { ensureNode } from "../../tools/npm-package.mjs";
import { createProject } from "../../tools/project.mjs";
import { readme } from "../docs/readme";
import { environmentFor, LEAN } from "../engine/fresh-project";
import { KEY, line, nameOf } from "../engine/harness";
import { service } from "../service";

/** The oldest and the newest that the README names. */
const [, OLDEST_NODE = "", NEWEST_NODE = "", OLDEST = "", NEWEST = "", LAST_FOR_NODE_20 = ""] =
  /Node\.js (\S+) to (\d+), `@pulumi\/pulumi` (\S+) to (\S+) \((\S+) is the last/.exec(readme) ?? [];

const promised = [
  [`${OLDEST_NODE}.0`, OLDEST],
  ["20", LAST_FOR_NODE_20],
  ["22", NEWEST],
  ["24", NEWEST],
  [NEWEST_NODE, NEWEST],
] as const;

/** Each test run tries its own version of Node.js; CI tries all of them in a separate job. */
const major = (version: string) => Number.parseInt(version, 10);
const rows = inject("allVersions")
  ? promised
  : promised.filter(([node]) => major(node) <= major(process.versions.node)).slice(-1);

const PROGRAM = `
const tracking = require("pulumi-tracking");
new tracking.Website("shop", { domain: "shop.example.com", excludeIps: ["192.0.2.1"] }, { protect: false });
exports.found = tracking.getPixelOutput({ name: "There" }).value;
`;

/** Every Node.js process records its version and its program. */
const WITNESS = `require("node:fs").appendFileSync(
  process.env.WITNESSED,
  JSON.stringify([process.version, process.argv[1]]) + "\\n",
);`;

it.each(rows)("works with Node.js %s and @pulumi/pulumi %s", async (node, pulumi) => {
  const { url, control } = await service({ apiKey: KEY });
  control.seed({ pixels: [{ name: "There", value: "t-1" }] });
  const project = await createProject({
    tarball: inject("tarball"),
    pulumiVersion: pulumi,
    files: { "index.js": PROGRAM, "witness.cjs": WITNESS },
  });
  onTestFinished(() => project.remove());
  const witnessed = join(project.root, "witnessed");
  const env = {
    PATH: [await ensureNode(node), project.env.PATH].join(delimiter),
    NODE_OPTIONS: `--require ${join(project.folder, "witness.cjs")}`,
    WITNESSED: witnessed,
    ...environmentFor(url),
  };

  await project.pulumi(["up", "--yes", "--skip-preview"], { env });
  env.NODE_OPTIONS += ` ${LEAN.NODE_OPTIONS}`;
  await project.pulumi(["preview", "--expect-no-changes"], { env });
  const [{ id = 0 } = {}] = control.websites();
  control.editWebsite(id, { email: 1 });
  await project.pulumi(["refresh", "--yes", "--skip-preview"], { env });
  const { resources = [] } = (await project.state()).deployment;
  const shop = resources.find(({ urn }) => nameOf(String(urn)) === "shop");
  expect(shop?.outputs).toMatchObject({ domain: "shop.example.com", emailReports: true });
  expect(resources[0]?.outputs).toEqual({ found: "t-1" });
  await project.pulumi(["destroy", "--yes", "--skip-preview"], { env });
  expect(
    control
      .requests()
      .map(line)
      .filter((each) => !each.startsWith("GET")),
  ).toEqual(["POST /api/v1/websites", `DELETE /api/v1/websites/${id}`]);
  expect(control.websites()).toEqual([]);

  const seen = (await readFile(witnessed, "utf8"))
    .trim()
    .split("\n")
    .map((each) => JSON.parse(each));
  expect([...new Set(seen.map(([version]) => version.split(".")[0]))]).toEqual([`v${node.split(".")[0]}`]);
  const ran = seen.map(([, script]) => script).join("\n");
  expect(ran).toMatch(/cmd\/run/);
  expect(ran).toMatch(/cmd\/dynamic-provider/);
});
