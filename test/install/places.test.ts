import { readFileSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { run } from "../../tools/child.mjs";
import { ensureNode, ensureNpmPackage } from "../../tools/npm-package.mjs";
import { createProject, type Project } from "../../tools/project.mjs";
import { ROOT } from "../../tools/root.mjs";
import { environmentFor, PLUGIN } from "../engine/fresh-project";
import { KEY } from "../engine/harness";
import { service } from "../service";

/** Its lines are others in the JavaScript that a compiler makes of it, which has no interfaces. */
const PROGRAM = `import * as pulumi from "@pulumi/pulumi";
import * as tracking from "pulumi-tracking";
import * as native from "pulumi-tracking/native";

interface Names {
  readonly domain: string;
  readonly pixel: string;
}

class Site extends pulumi.ComponentResource {
  constructor(name: string, { domain, pixel }: Names) {
    super("my:index:Site", name);
    const opts = { parent: this, protect: false };
    new tracking.Website(\`\${name}-website\`, { domain }, opts);
    new native.Pixel(\`\${name}-pixel\`, { name: pixel, type: "bing", value: "1" }, opts);
  }
}

const NAME = "site";
new Site(NAME, { domain: \`\${NAME}.example.com\`, pixel: NAME });
`;
const lineOf = (text: string) => 1 + PROGRAM.split("\n").findIndex((line) => line.includes(text));
const [WEBSITE, PIXEL, SITE] = ["new tracking.Website", "new native.Pixel", "new Site"].map(lineOf);

const template = (file: string) => readFileSync(join(ROOT, "templates", "typescript", file), "utf8");

const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
});
let project: Project;
let env: Record<string, string>;

beforeAll(async () => {
  const { url } = await service({ apiKey: KEY }, (end) => ends.push(end));
  const files = { "tsconfig.json": template("tsconfig.json") };
  project = await createProject({ like: inject("installed"), files });
  ends.push(() => project.remove());
  await symlink(await ensureNpmPackage("tsx", "4.23.15"), join(project.folder, "node_modules", "tsx"));
  const PATH = [await ensureNode("24"), project.env.PATH].join(delimiter);
  // Where a type is wrong is not asked here.
  env = { PATH, ...environmentFor(url), PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
});

/** How a program in TypeScript can run. */
interface Way {
  readonly main?: string;
  readonly type?: "commonjs" | "module";
  /** What Node.js is started with; without it, Pulumi runs the program by ts-node. */
  readonly nodeargs?: string;
  /** The line below the component's, if Pulumi can't read it: of a module's own lines it reads none. */
  readonly below?: "undefined";
}

it.each<[string, Way]>([
  ["ts-node, as Pulumi does", {}],
  ["tsx", { nodeargs: "--import=tsx" }],
  ["tsx, as an ES module", { nodeargs: "--import=tsx", type: "module", below: "undefined" }],
  ["Node.js itself, as an ES module", { nodeargs: "--no-warnings", type: "module", below: "undefined" }],
  ["its compiler, with source maps", { nodeargs: "--enable-source-maps", main: "out/index.js" }],
])(
  "state has the program's lines alone, each in its place, of a program that is run by %s",
  async (name, way) => {
    const { main = "index.ts", type = "commonjs", nodeargs, below = `index.ts#${SITE}` } = way;
    const options = nodeargs === undefined ? "" : `, options: { typescript: false, nodeargs: ${nodeargs} }`;
    const runtime = `runtime: { name: nodejs${options} }`;
    await project.write("Pulumi.yaml", `name: fresh\nmain: ${main}\n${runtime}\n${PLUGIN}`);
    const manifest = JSON.parse(readFileSync(join(project.folder, "package.json"), "utf8"));
    await project.write("package.json", JSON.stringify({ ...manifest, type }));
    // Other names in each, since the engine keeps the places of what is unchanged.
    await project.write(
      "index.ts",
      PROGRAM.replace('"site"', JSON.stringify(name.replace(/\W+/g, "-").toLowerCase())),
    );
    if (main !== "index.ts")
      await run("npx", ["tsc", "--sourceMap", "--skipLibCheck", "--outDir", "out"], { cwd: project.folder });
    await project.pulumi(["up", "--yes", "--skip-preview"], { env });
    const { checkpoint } = JSON.parse(readFileSync(project.stateFile(), "utf8"));
    const resources: Placed[] = checkpoint.latest.resources;
    const placesOf = (token: RegExp) => resources.filter(({ type }) => token.test(type)).map(places);
    expect(placesOf(/Website$/)).toEqual([[`index.ts#${WEBSITE}`, below]]);
    expect(placesOf(/Pixel$/)).toEqual([[`index.ts#${PIXEL}`, below]]);
  },
);

/** A resource in the state's file. */
interface Placed {
  readonly type: string;
  readonly sourcePosition?: string;
  readonly stackTrace?: readonly { readonly sourcePosition?: string }[];
}

/** The places of a resource's stack in the program, without their columns. Pulumi takes the address of an ES module for a path. */
function places({ sourcePosition, stackTrace = [] }: Placed): string[] {
  const all = stackTrace.map((frame) => `${frame.sourcePosition}`);
  expect(sourcePosition).toBe(all[0]);
  return all.map((place) => place.replace(/^project:\/\/\/(file:.*\/)?/, "").replace(/,\d+$/, ""));
}
