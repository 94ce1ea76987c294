import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { NoStack } from "../pulumi/failure";
import { upwards } from "../pulumi/project";
import { Stack } from "../pulumi/stack";
import { type Code, type Finding, finding, type Severity } from "./finding";

/** The versions on this machine; what is not installed is absent. */
export interface InstalledVersions {
  readonly node: string;
  /** The `pulumi` command's. */
  readonly pulumi?: string;
  /** That of the program's `@pulumi/pulumi`. */
  readonly sdk?: string;
  /** That of the `pulumi-tracking` that the engine finds from the program's folder. */
  readonly installed?: string;
  /** There is a Pulumi project here, so all of the above must be installed. */
  readonly project: boolean;
}

/** What this package is, and what it needs: its package.json. */
export interface Requirements {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** The first CLI whose import can take inputs and outputs from a file. */
const MIN_IMPORT_VERSION = "3.254.0";
const INSTALL_CLI = "Install the newest from https://www.pulumi.com/docs/install";

/** Finds the versions as the engine would. */
export async function installedVersions(
  project: string | undefined,
  stack = new Stack(undefined),
): Promise<InstalledVersions> {
  const pulumi = await stack.version().catch((error: unknown) => {
    if (error instanceof NoStack) return undefined;
    throw error;
  });
  const sdk = project === undefined ? undefined : packageVersion("@pulumi/pulumi", project);
  const installed = project === undefined ? undefined : packageVersion("pulumi-tracking", project);
  return {
    node: process.versions.node,
    project: project !== undefined,
    ...(pulumi !== undefined && { pulumi }),
    ...(sdk !== undefined && { sdk }),
    ...(installed !== undefined && { installed }),
  };
}

/** A package's version, resolved as Node.js does, but never as a self-reference of this package. */
function packageVersion(name: string, from: string): string | undefined {
  const manifest = upwards(from)
    .map((folder) => join(folder, "node_modules", name, "package.json"))
    .find((file) => existsSync(file));
  if (manifest === undefined) return undefined;
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version?: string }).version;
}

/** Compares the versions with the required ones. */
export function versionFindings(installed: InstalledVersions, required: Requirements): Finding[] {
  const node = required.engines.node;
  const found = [
    satisfies(installed.node, node)
      ? about("info", "node-version", `Node.js is ${installed.node}`)
      : about("error", "node-version", `Node.js is ${installed.node}, but ${node} is required`, INSTALL_NODE),
    cliFinding(installed),
  ];
  if (!installed.project) return found;
  const sdk = sdkFinding(installed.sdk, required.peerDependencies["@pulumi/pulumi"] ?? "");
  return [...found, sdk, packageFinding(installed.installed, required.version)];
}

const INSTALL_NODE = "Install a newer Node.js";

function cliFinding({ pulumi, project }: InstalledVersions): Finding {
  if (pulumi === undefined) {
    const message = 'There is no "pulumi" command on PATH, so no stack can be read';
    return about(project ? "error" : "info", "pulumi-missing", message, INSTALL_CLI);
  }
  if (satisfies(pulumi, `>=${MIN_IMPORT_VERSION}`))
    return about("info", "pulumi-version", `The Pulumi CLI is ${pulumi}`);
  const message = `The Pulumi CLI is ${pulumi}; "npx pulumi-tracking import" needs ${MIN_IMPORT_VERSION} or newer`;
  return about("warning", "pulumi-version", message, INSTALL_CLI);
}

function sdkFinding(version: string | undefined, range: string): Finding {
  const install = `Run "npm install @pulumi/pulumi@${range}" in the program's folder`;
  if (version === undefined)
    return about("error", "sdk-missing", "The program's folder has no @pulumi/pulumi", install);
  const message = `The program's @pulumi/pulumi is ${version}`;
  return satisfies(version, range)
    ? about("info", "sdk-version", message)
    : about("error", "sdk-version", `${message}, but ${range} is required`, install);
}

function packageFinding(installed: string | undefined, own: string): Finding {
  if (installed === undefined)
    return about(
      "error",
      "package-missing",
      "The engine does not find pulumi-tracking from the program's folder",
      "Make it a direct dependency of the program, and install it",
    );
  if (installed === own) return about("info", "package-version", `pulumi-tracking is ${own}`);
  return about(
    "warning",
    "package-version",
    `This command is pulumi-tracking ${own}, but the program has ${installed}`,
    'Run it as "npx pulumi-tracking doctor" in the program\'s folder',
  );
}

function about(severity: Severity, code: Code, message: string, remedy?: string): Finding {
  return finding(severity, code, { stacks: [] }, message, remedy);
}

/** Whether a version is in a range as package.json has them here: `>=` or `^`, and up to three numbers. */
export function satisfies(version: string, range: string): boolean {
  const least = numbers(range);
  const has = numbers(version);
  if (range.startsWith("^") && has[0] !== least[0]) return false;
  const differs = least.findIndex((number, at) => number !== has[at]);
  return differs < 0 || (has[differs] ?? 0) > (least[differs] ?? 0);
}

function numbers(text: string): number[] {
  const [, major, minor, patch] = /(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text) ?? [];
  return [major, minor, patch].map((each) => Number(each ?? 0));
}
