import { readFileSync } from "node:fs";
import { chmod, copyFile, mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createDirAtomically } from "../atomic-dir.mjs";
import { CommandFailed, run } from "../child.mjs";
import { ROOT } from "../root.mjs";
import { isExecutable, LANGUAGE_HOST, PYTHON_HOST, PYTHON_SCRIPT } from "./present.mjs";

const CLI = fileURLToPath(new URL("./cli", import.meta.url));
const HOSTS = fileURLToPath(new URL("./language-hosts", import.meta.url));

/** The module of both language hosts. */
const SDK = "github.com/pulumi/pulumi/sdk/v3";
const CLI_PACKAGE = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";

/** Where a host is kept that is built here. */
const KEPT = join(ROOT, "node_modules", ".cache", "pulumi-tracking", PYTHON_HOST);

const VERSION_VARIABLE = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/**
 * Builds the engine and its language host with Go, as the two go.mod files next to this file name them.
 *
 * @param {string} version
 * @param {string} root gets a `bin` folder
 */
export async function buildEngine(version, root) {
  await requireGo();
  const bin = join(root, "bin");
  await mkdir(bin, { recursive: true });
  await goBuild(CLI, CLI_PACKAGE, join(bin, "pulumi"), [
    "-tags=osusergo grpcnotrace",
    `-ldflags=-s -w -X ${VERSION_VARIABLE}=v${version}`,
  ]);
  await goBuild(HOSTS, `${SDK}/nodejs/cmd/${LANGUAGE_HOST}`, join(bin, LANGUAGE_HOST), ["-ldflags=-s -w"]);
}

/**
 * Builds the language host of Python, and puts the script beside it by which it starts programs.
 *
 * @param {string} bin an existing folder
 */
async function buildPythonHost(bin) {
  await requireGo();
  await goBuild(HOSTS, `${SDK}/python/cmd/${PYTHON_HOST}`, join(bin, PYTHON_HOST), ["-ldflags=-s -w"]);
  const { stdout } = await run("go", ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", SDK], { cwd: HOSTS });
  const script = join(bin, PYTHON_SCRIPT);
  await copyFile(join(stdout.trim(), "python", "cmd", PYTHON_SCRIPT), script);
  await chmod(script, 0o755);
}

/** The Go version that building takes, as go.mod states it. */
function requiredGo() {
  return /^go (\S+)$/m.exec(readFileSync(join(CLI, "go.mod"), "utf8"))?.[1] ?? "";
}

/** Asked in the module's folder, `go` says itself whether it will do, or fetches a toolchain that will. */
async function requireGo() {
  const remedy = `install Go ${requiredGo()} or newer (https://go.dev/dl)`;
  try {
    await run("go", ["list", "-m"], { cwd: CLI });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT")
      throw new Error(`Go is not installed: ${remedy}`);
    const words = error instanceof CommandFailed ? error.finished.stderr.trim() : error;
    throw new Error(`this version of Go does not work (${words}): ${remedy}`, { cause: error });
  }
}

/**
 * @param {string} folder of a go.mod
 * @param {string} command the package of one of its tools
 * @param {string} output
 * @param {string[]} flags
 */
async function goBuild(folder, command, output, flags) {
  await run("go", ["build", "-mod=readonly", ...flags, "-o", output, command], { cwd: folder });
}

/**
 * The environment in which the engine runs programs in Python: with the language host that is on PATH, or else with
 * one built with Go.
 *
 * @param {NodeJS.ProcessEnv} env of an engine
 * @returns {Promise<NodeJS.ProcessEnv>}
 * @throws {Error} if neither works; the message says why
 */
export async function withPythonHost(env) {
  const folders = (env.PATH ?? "").split(delimiter);
  if (folders.some(isHost)) return env;
  await createDirAtomically(KEPT, buildPythonHost, isHost);
  return { ...env, PATH: [KEPT, ...folders].join(delimiter) };
}

/** @param {string} folder */
function isHost(folder) {
  return [PYTHON_HOST, PYTHON_SCRIPT].every((name) => isExecutable(join(folder, name)));
}
