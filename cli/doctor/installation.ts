import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { childEnvironment } from "../config";
import type { Manifest } from "../manifest";
import { NoStack } from "../pulumi/failure";
import { parseFile, property } from "../pulumi/parse-file";
import { nearest, PROJECT_FILES, readProjectFile } from "../pulumi/project";
import type { Stack } from "../pulumi/stack";
import { type Code, type Finding, finding, type Severity } from "./report";

/** The first CLI whose import can take inputs and outputs from a file. */
const MIN_IMPORT_VERSION = ">=3.254.0";
const INSTALL_CLI = "Install the newest from https://www.pulumi.com/docs/install";

/** What is too old or missing for the project in this folder, or, without one, on this machine. */
export async function installationFindings(
  folder: string | undefined,
  { engines, peerDependencies: { "@pulumi/pulumi": sdk = "" } }: Manifest,
  stack: Stack,
): Promise<Finding[]> {
  const pulumi = await stack.version().catch((error: unknown) => {
    if (error instanceof NoStack) return undefined;
    throw error;
  });
  return [
    ...tooOld("error", "node-version", "Node.js", process.versions.node, engines.node, "Install a newer one"),
    ...tooOld("warning", "pulumi-version", "The Pulumi CLI", pulumi, MIN_IMPORT_VERSION, INSTALL_CLI),
    ...(folder === undefined ? [] : await projectFindings(folder, sdk)),
  ];
}

async function projectFindings(folder: string, sdk: string): Promise<Finding[]> {
  const file = nearest(folder, PROJECT_FILES) ?? "";
  const { runtime } = await readProjectFile(file);
  // Programs in other languages need the plugin, and nothing of npm's.
  if (runtime.name !== undefined && runtime.name !== "nodejs") return pluginFindings(file);
  const [missing, version] = ["pulumi-tracking", "@pulumi/pulumi"].map((name) => {
    const found = nearest(folder, [join("node_modules", name, "package.json")]);
    return found && (JSON.parse(readFileSync(found, "utf8")) as { version?: string }).version;
  });
  const install = `Run "npm install pulumi-tracking @pulumi/pulumi@${sdk}" in the program's folder`;
  if (missing === undefined || version === undefined)
    return about(
      "error",
      "package-missing",
      "The program's folder lacks pulumi-tracking or @pulumi/pulumi",
      install,
    );
  const texts = [...(await programFiles(folder)).values()];
  const isNative = texts.some((text) => /["']pulumi-tracking\/native["']/.test(text));
  return [
    ...tooOld("error", "sdk-version", "The program's @pulumi/pulumi", version, sdk, install),
    ...(isNative ? await pluginFindings(file) : []),
  ];
}

/** The program's files, by their names in its folder. `main` is the folder, or a file in it. */
export async function programFiles(project: string): Promise<ReadonlyMap<string, string>> {
  const { main = "." } = await readProjectFile(nearest(project, PROJECT_FILES) ?? "");
  const place = resolve(project, main);
  const folder = /\.\w+$/.test(main) ? dirname(place) : place;
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const files = names.filter((name) => /^(?!Pulumi\.).*\.([cm]?[jt]s|py|ya?ml)$/.test(name));
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** The engine finds the plugin in the folder that the project's file names, or among the user's plugins. */
async function pluginFindings(file: string): Promise<Finding[]> {
  const { parse } = await import("yaml");
  const listed = property(property(parseFile(file, parse), "plugins"), "providers");
  const own = (Array.isArray(listed) ? listed : []).find((each) => property(each, "name") === "tracking");
  const path = property(own, "path");
  const place =
    typeof path === "string"
      ? resolve(dirname(file), path)
      : join(childEnvironment().PULUMI_HOME ?? join(homedir(), ".pulumi"), "plugins");
  if (existsSync(place) && readdirSync(place).some((name) => /^(pulumi-)?resource-tracking/.test(name)))
    return [];
  const message = `The program needs the provider plugin, and ${path === undefined ? "Pulumi.yaml does not name it" : `it is not in ${path}, where Pulumi.yaml names it`}`;
  return about("error", "plugin-missing", message, 'Run "npx pulumi-tracking init-native"');
}

function tooOld(
  severity: Severity,
  code: Code,
  what: string,
  version: string | undefined,
  range: string,
  remedy: string,
): Finding[] {
  if (version === undefined || satisfies(version, range)) return [];
  return about(severity, code, `${what} is ${version}, but ${range} is required`, remedy);
}

function about(severity: Severity, code: Code, message: string, remedy: string): Finding[] {
  return [finding(severity, code, { stacks: [] }, message, remedy)];
}

/** Whether a version is in a range as package.json has them here: `>=` or `^`, and up to three numbers. */
export function satisfies(version: string, range: string): boolean {
  const numbers = (text: string) => (/\d+(\.\d+){0,2}/.exec(text)?.[0] ?? "0").split(".").map(Number);
  const [least, has] = [numbers(range), numbers(version)];
  if (range.startsWith("^") && has[0] !== least[0]) return false;
  const differs = least.findIndex((number, at) => number !== (has[at] ?? 0));
  return differs < 0 || (has[differs] ?? 0) > (least[differs] ?? 0);
}
