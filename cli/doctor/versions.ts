import type { Code, Finding, Severity } from "./finding";

/** The versions on this machine; what is not there is absent. */
export interface InstalledVersions {
  readonly node: string;
  /** The `pulumi` command's. */
  readonly pulumi?: string;
  /** That of the program's `@pulumi/pulumi`. */
  readonly sdk?: string;
  /** That of the `pulumi-tracking` that the engine finds from the program's folder. */
  readonly installed?: string;
  /** There is a Pulumi project here, so that all of the above has to be there. */
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
const INSTALL_CLI = "install the newest from https://www.pulumi.com/docs/install";

/** What there is to say of versions. */
export function versionFindings(installed: InstalledVersions, needs: Requirements): Finding[] {
  const nodeRange = needs.engines.node;
  const sdkRange = needs.peerDependencies["@pulumi/pulumi"] ?? "";
  const found = [
    satisfies(installed.node, nodeRange)
      ? told("info", "node-version", `Node.js is ${installed.node}`)
      : told(
          "error",
          "node-version",
          `Node.js is ${installed.node}, and ${nodeRange} is needed`,
          "install a newer Node.js",
        ),
    cli(installed),
  ];
  if (installed.project)
    found.push(sdk(installed.sdk, sdkRange), ownPackage(installed.installed, needs.version));
  return found;
}

function cli({ pulumi, project }: InstalledVersions): Finding {
  if (pulumi === undefined)
    return told(
      project ? "error" : "info",
      "pulumi-missing",
      'there is no "pulumi" command on PATH, so that no stack can be read',
      INSTALL_CLI,
    );
  return satisfies(pulumi, `>=${MIN_IMPORT_VERSION}`)
    ? told("info", "pulumi-version", `the Pulumi CLI is ${pulumi}`)
    : told(
        "warning",
        "pulumi-version",
        `the Pulumi CLI is ${pulumi}; "npx pulumi-tracking import" needs ${MIN_IMPORT_VERSION} or newer`,
        INSTALL_CLI,
      );
}

function sdk(version: string | undefined, range: string): Finding {
  const install = `run "npm install @pulumi/pulumi@${range}" in the program's folder`;
  if (version === undefined)
    return told("error", "sdk-missing", "the program's folder has no @pulumi/pulumi", install);
  return satisfies(version, range)
    ? told("info", "sdk-version", `the program's @pulumi/pulumi is ${version}`)
    : told(
        "error",
        "sdk-version",
        `the program's @pulumi/pulumi is ${version}, and ${range} is needed`,
        install,
      );
}

function ownPackage(installed: string | undefined, own: string): Finding {
  if (installed === undefined)
    return told(
      "error",
      "package-missing",
      "the engine does not find pulumi-tracking from the program's folder",
      "make it a direct dependency of the program, and install that",
    );
  return installed === own
    ? told("info", "package-version", `pulumi-tracking is ${own}`)
    : told(
        "warning",
        "package-version",
        `this command is pulumi-tracking ${own}, and the program has ${installed}`,
        'run it as "npx pulumi-tracking doctor" in the program\'s folder',
      );
}

function told(severity: Severity, code: Code, message: string, remedy?: string): Finding {
  return {
    topic: "versions",
    severity,
    code,
    stacks: [],
    message,
    ...(remedy === undefined ? {} : { remedy }),
  };
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
