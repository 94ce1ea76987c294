import { cp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { createProject, type Project, type ProjectOptions } from "../../tools/project.mjs";
import { countedEngine } from "./counted";
import { keyServiceAt } from "./key-service";

/** The API key of a test's service. */
export const KEY = "key-of-this-world";

/** How programs reach the provider: as a dynamic provider, or as a plugin. */
export type Form = "dynamic" | "native";

/** A program's first lines. */
export function headOf(form: Form): string {
  const entry = form === "native" ? "pulumi-tracking/native" : "pulumi-tracking";
  return `const pulumi = require("@pulumi/pulumi");\nconst tracking = require("${entry}");\n`;
}

/**
 * JavaScript, to save compiling, in a folder without `node_modules`, because the engine searches the whole program
 * folder for plugins. `test/install/installation.test.ts` tries the other ways.
 */
export const PLAIN =
  "name: fresh\nmain: program\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n";
/** Where the engine finds the plugin: where npm puts the commands of packages. */
export const PLUGIN = "plugins: { providers: [{ name: tracking, path: node_modules/.bin }] }\n";
export const PROGRAM = "program/index.js";

/** Makes the engine's processes load unneeded modules late and collect garbage less often. */
export const LEAN = {
  NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, "lean.cjs"))}`,
  // What a process has compiled, the next one need not.
  NODE_COMPILE_CACHE: join(inject("projects"), "compiled"),
  GOGC: "400",
};

/** The settings of a service at this address, as the environment has them. */
export function environmentFor(url: string): Record<string, string> {
  return { TRACKING_API_KEY: KEY, TRACKING_ANALYTICS_BASE_URL: url, TRACKING_DATA_BASE_URL: url };
}

/** A project for engine tests. */
export interface EngineProject {
  readonly project: Project;
  /** Keys as the stack's config holds them, encrypted by the engine. */
  readonly sealed: Map<string, string>;
}

/** The folder of a project that is kept: the installed packages. */
const PACKAGES = "node_modules";
/** The folder with a copy of the initial state. */
const FIRST = "first";

/** One process runs several test files, and each gets the project in its initial state. */
const projects = new Map<string, Promise<EngineProject & { renew: () => Promise<void> }>>();

/** A project with the packed package and an empty stack. */
export async function freshProject(options: ProjectOptions): Promise<EngineProject> {
  const key = JSON.stringify(options);
  const made = projects.get(key) ?? makeProject(options);
  projects.set(key, made);
  const { renew, ...fresh } = await made;
  await renew();
  return fresh;
}

async function makeProject(options: ProjectOptions) {
  const project = await createProject({
    like: inject("installed"),
    within: inject("projects"),
    engine: await countedEngine(),
    secrets: keyServiceAt(inject("keyService")),
    ...options,
    files: { "Pulumi.yaml": PLAIN + PLUGIN, [PROGRAM]: headOf("dynamic"), ...options.files },
  });
  const isPlain = options.files?.["Pulumi.yaml"] === undefined;
  const env = {
    ...project.env,
    ...LEAN,
    // A machine may name certificates that each process then reads first, and no service of these tests has any.
    NODE_EXTRA_CA_CERTS: "",
    ...(isPlain && { WORLD_IS_PLAIN: "true" }),
  };
  const parts = ["program", "home", "backend"];
  const isInitial = (source: string) => source !== join(project.folder, PACKAGES);
  for (const part of parts)
    await cp(join(project.root, part), join(project.root, FIRST, part), {
      recursive: true,
      filter: isInitial,
    });
  const renew = async () => {
    for (const name of await readdir(project.root))
      if (![FIRST, "program"].includes(name)) await rm(join(project.root, name), { recursive: true });
    for (const name of await readdir(project.folder))
      if (name !== PACKAGES) await rm(join(project.folder, name), { recursive: true });
    await cp(join(project.root, FIRST), project.root, { recursive: true });
    project.env = { ...env };
  };
  return { project, sealed: new Map<string, string>(), renew };
}
