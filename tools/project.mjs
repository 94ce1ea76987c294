import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CommandFailed, run, start } from "./child.mjs";
import { ensureEngine } from "./engine/setup.mjs";
import { INSTALL } from "./installation.mjs";
import { ROOT } from "./root.mjs";

/** The packed package's name in a project's folder. */
const TARBALL = "pulumi-tracking.tgz";

/**
 * @typedef {object} ProjectOptions
 * @property {string} [from] a folder to copy, such as `examples/quickstart`; relative to the repository
 * @property {Record<string, string>} [files] texts by path, which replace copied files
 * @property {import("./installation.mjs").PackageManager} [packageManager] npm by default
 * @property {string} [tarball] the packed package; without it, the project does not have it
 * @property {string} [like] the folder of a program whose installed packages it gets, instead of installing its own
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

/** @param {string} folder */
const readManifest = async (folder) => JSON.parse(await readFile(join(folder, "package.json"), "utf8"));

/**
 * The text of a program's package.json, with the versions to test. A program without one gets the compiler that this
 * repository uses.
 *
 * @param {string} folder the program's
 * @param {{ isPacked: boolean, pulumiVersion: string | undefined }} options whether the program has the packed package, and the
 *   version of `@pulumi/pulumi`, by default the one that this repository uses
 */
async function programManifest(folder, { isPacked, pulumiVersion }) {
  const { devDependencies: versions } = await readManifest(ROOT);
  const { typescript, "@types/node": node } = versions;
  const starter = { name: "fresh", private: true, devDependencies: { typescript, "@types/node": node } };
  const manifest = existsSync(join(folder, "package.json")) ? await readManifest(folder) : starter;
  const { "pulumi-tracking": _, ...dependenciesOfProgram } = manifest.dependencies ?? {};
  const dependencies = {
    ...dependenciesOfProgram,
    "@pulumi/pulumi": pulumiVersion ?? versions["@pulumi/pulumi"],
    ...(isPacked && { "pulumi-tracking": `file:${TARBALL}` }),
  };
  return JSON.stringify({ ...manifest, dependencies }, null, 2);
}

/** Links each file of a folder's `node_modules` into another folder, but npm's own note on them, to which npm writes. */
export async function linkModules(/** @type {string} */ from, /** @type {string} */ to) {
  await run("cp", ["-RPl", join(from, "node_modules"), to]);
  await rm(join(to, "node_modules", ".package-lock.json"), { force: true });
}

/**
 * Copies a program's packages from folder to folder; files of others are linked: they are many, and nobody writes to them. A
 * program with a package.json keeps it.
 */
async function copyPackages(/** @type {string} */ from, /** @type {string} */ to) {
  const own = existsSync(join(to, "package.json"));
  for (const name of ["package-lock.json", TARBALL, ...(own ? [] : ["package.json"])])
    await copyFile(join(from, name), join(to, name));
  await linkModules(from, to);
  const ourPackage = join("node_modules", "pulumi-tracking");
  await rm(join(to, ourPackage), { recursive: true });
  await cp(join(from, ourPackage), join(to, ourPackage), { recursive: true });
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
  const unrelated = Object.entries(env).filter(([name]) => !/^(PULUMI|TRACKING)_/.test(name));
  return {
    ...Object.fromEntries(unrelated),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: pathToFileURL(backend).href,
    PULUMI_CONFIG_PASSPHRASE: "fresh",
  };
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
   * Installs the program's packages from scratch.
   *
   * @param {Pick<ProjectOptions, "packageManager" | "tarball" | "pulumiVersion">} packages
   */
  async install({ packageManager = "npm", tarball, pulumiVersion }) {
    // An example in which somebody works has its own.
    for (const name of ["node_modules", "package-lock.json", "pnpm-lock.yaml"])
      await rm(join(this.folder, name), { recursive: true, force: true });
    const manifest = await programManifest(this.folder, { isPacked: tarball !== undefined, pulumiVersion });
    await this.write("package.json", manifest);
    if (tarball !== undefined) await copyFile(tarball, join(this.folder, TARBALL));
    await INSTALL[packageManager](this.folder);
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

  /** The file that has a stack's state, in the file backend: secrets encrypted. */
  stateFile(project = "fresh", stack = "dev") {
    return join(this.backend, ".pulumi", "stacks", project, `${stack}.json`);
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
  like,
  ...packages
} = {}) {
  const root = await realpath(await mkdtemp(join(within, "pulumi-tracking-project-")));
  const project = new Project(root, engine ?? (await ensureEngine({ log: () => {} })));
  Object.assign(project.env, secrets.env);
  try {
    for (const folder of [project.folder, project.home, project.backend]) await mkdir(folder);
    if (from !== undefined) await cp(resolve(ROOT, from), project.folder, { recursive: true });
    for (const [file, text] of Object.entries(files)) await project.write(file, text);
    if (!existsSync(join(project.folder, "Pulumi.yaml")))
      await project.write("Pulumi.yaml", "name: fresh\nruntime: nodejs\n");
    if (like === undefined) await project.install(packages);
    else await copyPackages(like, project.folder);
    await project.pulumi(["stack", "init", stack, "--secrets-provider", secrets.provider]);
    return project;
  } catch (error) {
    await project.remove();
    throw error;
  }
}
