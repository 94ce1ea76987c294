import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { run } from "../child.mjs";
import { LANGUAGE_HOST, LAUNCHER } from "./present.mjs";
import { GO_VERSION, PINNED_ENGINE } from "./version.mjs";

const CLI = join(import.meta.dirname, "cli");
const HOSTS = join(import.meta.dirname, "language-hosts");

const HOST_PACKAGE = `github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/${LANGUAGE_HOST}`;
const CLI_MODULE = "github.com/pulumi/pulumi/pkg/v3";

const VERSION_VARIABLE = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/** Go's compiler spends a quarter of a build on collecting its garbage. It starts later with these, at the latest at 2 GiB in a process. */
const COLLECTS_LATE = { GOGC: "400", GOMEMLIMIT: "2GiB" };

/**
 * Builds the engine and its language host with Go, from what the two go.mod files next to this file name. Another
 * version than theirs is built from what its own module names, as Go's checksum database knows it.
 *
 * @param {string} version
 * @param {string} root gets a `bin` folder
 */
export async function buildEngine(version, root) {
  const bin = join(root, "bin");
  await mkdir(bin, { recursive: true });
  const isPinned = version === PINNED_ENGINE;
  if (!isPinned)
    await writeFile(join(root, "go.mod"), `module engine\n\ngo 1.26\n\nrequire ${CLI_MODULE} v${version}\n`);
  const [folder, mode] = isPinned ? [CLI, "-mod=readonly"] : [root, "-mod=mod"];
  const tags = "-tags=osusergo grpcnotrace";
  const linked = `-ldflags=-s -w -X ${VERSION_VARIABLE}=v${version}`;
  await go(folder, ["build", mode, tags, linked, "-o", join(bin, "pulumi"), `${CLI_MODULE}/cmd/pulumi`]);
  await go(HOSTS, ["build", "-mod=readonly", "-ldflags=-s -w", "-o", join(bin, LANGUAGE_HOST), HOST_PACKAGE]);
  // The script has its run bit there.
  const sdk = dirname(createRequire(import.meta.url).resolve("@pulumi/pulumi/package.json"));
  await copyFile(join(sdk, LAUNCHER), join(bin, LAUNCHER));
}

/**
 * A version of Go that will not do says so itself, or fetches a toolchain that will.
 *
 * @param {string} folder of a go.mod
 * @param {string[]} args
 */
async function go(folder, args) {
  await run("go", args, { cwd: folder, env: { ...process.env, ...COLLECTS_LATE } }).catch((error) => {
    if (error.code !== "ENOENT") throw error;
    throw new Error(`Go is not installed: install Go ${GO_VERSION} or newer (https://go.dev/dl)`);
  });
}
