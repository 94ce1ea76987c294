import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CommandFailed, start } from "./child.mjs";
import { ensureEngine } from "./engine/setup.mjs";
import { programManifest } from "./manifest.mjs";
import { ROOT } from "./root.mjs";
import { layPackages } from "./template.mjs";

/**
 * @typedef {object} ProjectOptions
 * @property {string} [from] a folder to copy, such as `examples/quickstart`; relative to the repository
 * @property {Record<string, string>} [files] texts by path, which replace copied files
 * @property {import("./template.mjs").PackageManager} [packageManager] npm by default
 * @property {string} [tarball] the packed package; without it, the project does not have it
 * @property {string} [pulumiVersion] of `@pulumi/pulumi`; by default the one that this repository uses
 * @property {string} [within] the folder to make it in; by default the system's temporary folder
 * @property {string} [stack] the name of its stack, `dev` by default
 * @property {{ provider: string, env?: NodeJS.ProcessEnv }} [secrets] what has their key, by default a passphrase
 * @property {import("./engine/setup.mjs").ReadyEngine} [engine]
 *
 * @typedef {object} CommandOptions
 * @property {NodeJS.ProcessEnv} [env] added to the project's own
 * @property {boolean} [expectFailure] throws on success instead
 * @property {(text: string) => void} [show] gets what it prints, as it is printed
 */

/**
 * A Pulumi project in a temporary folder, installed as a user would, with a stack in its own backend.
 * It does not use or change anything of the user's own Pulumi: no login, settings, plugins or logs.
 *
 * @param {ProjectOptions} [options]
 */
export async function createProject({
  from,
  files = {},
  within = tmpdir(),
  stack = "dev",
  secrets = { provider: "passphrase" },
  engine,
  ...packages
} = {}) {
  const root = await realpath(await mkdtemp(join(within, "pulumi-tracking-project-")));
  const project = new Project(root, engine ?? (await ensureEngine({ log: () => {} })));
  Object.assign(project.env, secrets.env);
  try {
    for (const folder of [project.folder, project.home, project.backend]) await mkdir(folder);
    if (from !== undefined) await copyProgram(resolve(ROOT, from), project.folder);
    for (const [file, text] of Object.entries(files)) await project.write(file, text);
    if (!existsSync(join(project.folder, "Pulumi.yaml")))
      await project.write("Pulumi.yaml", "name: fresh\nruntime: nodejs\n");
    await project.install(packages);
    await project.pulumi(["stack", "init", stack, "--secrets-provider", secrets.provider]);
    return project;
  } catch (error) {
    await project.remove();
    throw error;
  }
}

export class Project {
  /**
   * @param {string} root
   * @param {import("./engine/setup.mjs").ReadyEngine} engine
   */
  constructor(root, engine) {
    this.root = root;
    /** The program's folder. */
    this.folder = join(root, "program");
    /** What the engine keeps apart from states: its logs, and which stack is selected. */
    this.home = join(root, "home");
    /** The states, as files. */
    this.backend = join(root, "backend");
    this.env = projectEnvironment(engine.env, this.home, this.backend);
  }

  /**
   * Installs the program's packages from scratch; with another tarball, this is an upgrade.
   *
   * @param {Pick<ProjectOptions, "packageManager" | "tarball" | "pulumiVersion">} packages
   */
  async install({ packageManager = "npm", tarball, pulumiVersion }) {
    const manifest = await programManifest(this.folder, tarball !== undefined, pulumiVersion);
    await rm(join(this.folder, "node_modules"), { recursive: true, force: true });
    await layPackages(this.folder, { manifest, packageManager, tarball });
  }

  /**
   * Starts a `pulumi` command and returns at once, so that it can be interrupted.
   *
   * @param {readonly string[]} args
   * @param {Pick<CommandOptions, "env" | "show">} [options]
   */
  start(args, { env, show } = {}) {
    const colour = args.some((arg) => arg.startsWith("--color")) ? [] : ["--color=never"];
    const options = { cwd: this.folder, env: { ...this.env, ...env }, show };
    return start("pulumi", [...args, "--non-interactive", ...colour], options);
  }

  /**
   * Runs a `pulumi` command to its end. It asks no questions: `up`, `refresh` and `destroy` need `--yes`.
   *
   * @param {readonly string[]} args
   * @param {CommandOptions} [options]
   * @throws {CommandFailed} with its output, if it does not exit as expected
   */
  async pulumi(args, { expectFailure = false, ...options } = {}) {
    const finished = await this.start(args, options).finished;
    if ((finished.code !== 0) === expectFailure) return finished;
    const outcome = expectFailure
      ? "succeeded against expectation"
      : `failed (${finished.signal ?? finished.code})`;
    throw new CommandFailed(`pulumi ${args.join(" ")} ${outcome}`, finished);
  }

  /**
   * The stack's state, as `pulumi stack export` gives it.
   *
   * @returns {Promise<{ version: number, deployment: { resources?: Record<string, unknown>[] } }>}
   */
  async state() {
    return JSON.parse((await this.pulumi(["stack", "export"])).stdout);
  }

  /**
   * @param {string} file relative to the program's folder
   * @param {string} text
   */
  async write(file, text) {
    const place = join(this.folder, file);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, text);
  }

  /** Removes the project, without destroying its resources. */
  async remove() {
    await rm(this.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/**
 * @param {string} from
 * @param {string} to
 */
async function copyProgram(from, to) {
  const left = ["node_modules", "package-lock.json", "pnpm-lock.yaml"].map((name) => join(from, name));
  await cp(from, to, { recursive: true, filter: (source) => !left.includes(source) });
}

/**
 * The environment of a project that is isolated from the user's own Pulumi: without their login, settings and
 * keys, with a separate home and backend. The home is not shared, because two engines that start in one
 * second would write to one log.
 *
 * @param {NodeJS.ProcessEnv} env what the engine is started in
 * @param {string} home
 * @param {string} backend
 * @returns {NodeJS.ProcessEnv}
 */
export function projectEnvironment(env, home, backend) {
  const others = Object.entries(env).filter(([name]) => !/^(PULUMI|TRACKING)_/.test(name));
  return {
    ...Object.fromEntries(others),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: pathToFileURL(backend).href,
    PULUMI_CONFIG_PASSPHRASE: "fresh",
  };
}
