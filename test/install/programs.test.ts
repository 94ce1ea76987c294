import { cp, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createProject, type Project } from "../../tools/project.mjs";
import { environmentFor } from "../engine/fresh-project";
import { cases, KEY } from "../engine/harness";
import { service, type TestService } from "../service";

/** Website and domain are named for the program, so that each `up` creates one and deletes the one before. */
const call = (name: string) =>
  `new tracking.Website("${name}", { domain: "${name}.example.com" }, { protect: false })`;
const required = (name: string) =>
  `const tracking = require("pulumi-tracking");\nexports.domain = ${call(name)}.domain;\n`;
const SETTINGS = "name: fresh\nruntime: nodejs\n";

interface Program {
  says: string;
  name: string;
  files: Record<string, string>;
  /** Merged into package.json. */
  manifest?: object;
  /** The folder that has the packages; by default the project's. */
  packagesIn?: string;
}

/** One program in all the ways in which people write it. */
const programs: Program[] = [
  {
    says: "in TypeScript",
    name: "typed",
    files: {
      "index.ts": [
        'import * as pulumi from "@pulumi/pulumi";',
        'import * as tracking from "pulumi-tracking";',
        'const args: tracking.WebsiteArgs = { domain: pulumi.concat("typed", ".example.com"), privacy: tracking.Privacy.Private };',
        'const typed: tracking.Website = new tracking.Website("typed", args, { protect: false });',
        "export const domain: pulumi.Output<string> = typed.domain;",
        "export const ips: pulumi.Output<string[] | undefined> = typed.excludeIps;",
      ].join("\n"),
      "tsconfig.json": JSON.stringify({
        compilerOptions: { strict: true, target: "es2022", module: "commonjs", moduleResolution: "node" },
        files: ["index.ts"],
      }),
    },
  },
  { says: "in JavaScript", name: "plain", files: { "index.js": required("plain") } },
  {
    says: "as an ES module",
    name: "module",
    manifest: { type: "module" },
    files: {
      "index.js": `import * as tracking from "pulumi-tracking";\nimport { Privacy } from "pulumi-tracking";\nexport const domain = ${call("module")}.domain;\nexport const privacy = Privacy.Private;\n`,
    },
  },
  {
    says: "in a subfolder, its packages above it",
    name: "below",
    files: { "Pulumi.yaml": `${SETTINGS}main: infra\n`, "infra/index.js": required("below") },
  },
  {
    says: "in a subfolder that has its packages",
    name: "inside",
    files: { "Pulumi.yaml": `${SETTINGS}main: infra/index.js\n`, "infra/index.js": required("inside") },
    packagesIn: "infra",
  },
];

/** `upgrade.test.ts` and `walk.test.ts` have one each with pnpm, `installation.test.ts` with all others. */
describe("a program installed with npm", () => {
  const at = useStack();

  it.each(cases(programs))("%s creates a website, and deletes that of another program", (_says, program) =>
    at().becomes(program),
  );

  it("has its website destroyed", async () => {
    const { project, emulator, becomes } = at();
    if (emulator.control.websites().length === 0) await becomes(programs[0] as Program);
    await project.pulumi(["destroy", "--yes", "--skip-preview"]);
    expect(emulator.control.websites()).toEqual([]);
  });
});

/** A stack whose program is replaced from test to test; its packages are installed once. */
function useStack() {
  let emulator: TestService;
  let project: Project;
  /** A copy of the folder's files before the first program, without the packages. */
  let first: string;
  const own = (name: string) => name === "node_modules";
  beforeAll(async () => {
    emulator = await service({ apiKey: KEY }, afterAll);
    project = await createProject({ tarball: inject("tarball") });
    Object.assign(project.env, environmentFor(emulator.url));
    first = join(project.root, "first");
    const filter = (source: string) => source !== join(project.folder, "node_modules");
    await cp(project.folder, first, { recursive: true, filter });
  });
  afterAll(async () => {
    await project?.remove();
  });

  /** Writes the program in place of the one before, and runs `up`. */
  async function becomes({ name, files: texts, manifest, packagesIn }: Program): Promise<void> {
    const { folder } = project;
    for (const each of await readdir(folder))
      if (!own(each)) await rm(join(folder, each), { recursive: true });
    await cp(first, folder, { recursive: true });
    for (const [file, text] of Object.entries(texts)) await project.write(file, text);
    const json = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    await project.write("package.json", JSON.stringify({ ...json, ...manifest }));
    if (packagesIn !== undefined)
      for (const each of ["package.json", "node_modules"])
        await rename(join(folder, each), join(folder, packagesIn, each));
    await project.pulumi(["up", "--yes", "--skip-preview"]);

    const domain = `${name}.example.com`;
    expect(emulator.control.websites()).toMatchObject([{ domain, privacy: 1 }]);
    const { deployment } = await project.state();
    const stack = deployment.resources?.find(({ type }) => type === "pulumi:pulumi:Stack");
    expect(stack?.outputs).toMatchObject({ domain });
    expect(deployment.resources?.find(({ urn }) => String(urn).endsWith(`::${name}`))).toMatchObject({
      outputs: { __provider: 'exports.handler = () => require("pulumi-tracking/host").Website' },
    });
  }
  return () => ({ project, emulator, becomes });
}
