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

/** @typedef {(line: string) => void} Log */

/**
 * Builds the engine and its language host with Go, from what the two go.mod files next to this file name. Another
 * version than theirs is built from what its own module names, as Go's checksum database knows it.
 *
 * @param {string} version
 * @param {string} root gets a `bin` folder
 * @param {Log} log
 */
export async function buildEngine(version, root, log) {
  const bin = join(root, "bin");
  await mkdir(bin, { recursive: true });
  const isPinned = version === PINNED_ENGINE;
  if (!isPinned)
    await writeFile(join(root, "go.mod"), `module engine\n\ngo 1.26\n\nrequire ${CLI_MODULE} v${version}\n`);
  const [folder, mode] = isPinned ? [CLI, "-mod=readonly"] : [root, "-mod=mod"];
  const tags = "-tags=osusergo grpcnotrace";
  const linked = `-ldflags=-s -w -X ${VERSION_VARIABLE}=v${version}`;
  await goBuild(folder, `${CLI_MODULE}/cmd/pulumi`, join(bin, "pulumi"), [mode, tags], linked, log);
  await goBuild(HOSTS, HOST_PACKAGE, join(bin, LANGUAGE_HOST), ["-mod=readonly"], "-ldflags=-s -w", log);
  // The script has its run bit there.
  const sdk = dirname(createRequire(import.meta.url).resolve("@pulumi/pulumi/package.json"));
  await copyFile(join(sdk, LAUNCHER), join(bin, LAUNCHER));
}

/**
 * Says how far it is, since the engine takes minutes. Packages that Go has in its cache take no time, and end the
 * count early.
 *
 * @param {string} folder of a go.mod
 * @param {string} command the package to build
 * @param {string} output
 * @param {string[]} flags
 * @param {string} linked the flags for the linker
 * @param {Log} log
 */
async function goBuild(folder, command, output, flags, linked, log) {
  const name = command.split("/").at(-1);
  log(`  ${name}: downloading its sources …`);
  const { stdout } = await go(folder, ["list", ...flags, "-deps", command]);
  const packages = stdout.trim().split("\n").length;
  const step = Math.ceil(packages / 10);
  let compiled = 0;
  const count = (/** @type {string} */ text) => {
    const before = compiled;
    compiled += text.split("\n").length - 1;
    if (Math.floor(compiled / step) > Math.floor(before / step))
      log(`  ${name}: ${compiled} of at most ${packages} packages compiled …`);
  };
  await go(folder, ["build", ...flags, linked, "-v", "-o", output, command], count);
}

/**
 * A version of Go that will not do says so itself, or fetches a toolchain that will.
 *
 * @param {string} folder of a go.mod
 * @param {string[]} args
 * @param {(text: string) => void} [show]
 */
async function go(folder, args, show) {
  return run("go", args, { cwd: folder, show }).catch((error) => {
    if (error.code !== "ENOENT") throw error;
    throw new Error(`Go is not installed: install Go ${GO_VERSION} or newer (https://go.dev/dl)`);
  });
}
