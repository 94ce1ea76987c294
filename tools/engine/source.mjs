import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandFailed, run } from "../child.mjs";
import { LANGUAGE_HOST } from "./present.mjs";

const CLI = fileURLToPath(new URL("./cli", import.meta.url));
const HOSTS = fileURLToPath(new URL("./language-hosts", import.meta.url));

const HOST_PACKAGE = `github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/${LANGUAGE_HOST}`;
const CLI_PACKAGE = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";

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
  await goBuild(HOSTS, HOST_PACKAGE, join(bin, LANGUAGE_HOST), ["-ldflags=-s -w"]);
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
