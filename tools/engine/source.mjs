import { copyFile, mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../child.mjs";
import { LANGUAGE_HOST, LAUNCHER } from "./present.mjs";
import { GO_VERSION } from "./version.mjs";

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
  const bin = join(root, "bin");
  await mkdir(bin, { recursive: true });
  await goBuild(CLI, CLI_PACKAGE, join(bin, "pulumi"), [
    "-tags=osusergo grpcnotrace",
    `-ldflags=-s -w -X ${VERSION_VARIABLE}=v${version}`,
  ]);
  await goBuild(HOSTS, HOST_PACKAGE, join(bin, LANGUAGE_HOST), ["-ldflags=-s -w"]);
  // The script has its run bit there.
  const sdk = dirname(createRequire(import.meta.url).resolve("@pulumi/pulumi/package.json"));
  await copyFile(join(sdk, LAUNCHER), join(bin, LAUNCHER));
}

/**
 * A version of Go that will not do says so itself, or fetches a toolchain that will.
 *
 * @param {string} folder of a go.mod
 * @param {string} command the package of one of its tools
 * @param {string} output
 * @param {string[]} flags
 */
async function goBuild(folder, command, output, flags) {
  const args = ["build", "-mod=readonly", ...flags, "-o", output, command];
  await run("go", args, { cwd: folder }).catch((error) => {
    if (error.code !== "ENOENT") throw error;
    throw new Error(`Go is not installed: install Go ${GO_VERSION} or newer (https://go.dev/dl)`);
  });
}
