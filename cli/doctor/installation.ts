import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { childEnvironment } from "../config";
import { NoStack } from "../pulumi/failure";
import { parseFile, property } from "../pulumi/parse-file";
import { nearest, PROJECT_FILES, readProjectFile } from "../pulumi/project";
import type { Stack } from "../pulumi/stack";
import { type Code, type Finding, finding, type Severity } from "./report";

/** The first CLI whose import can take inputs and outputs from a file. */
const MIN_IMPORT_VERSION = "3.254.0";

/** What is too old or missing. Versions of Node.js and of packages are npm's to check, when it installs this one. */
export async function installationFindings(project: string | undefined, stack: Stack): Promise<Finding[]> {
  const pulumi = await stack.version().catch((error: unknown) => {
    if (error instanceof NoStack) return MIN_IMPORT_VERSION;
    throw error;
  });
  const isOld = pulumi.localeCompare(MIN_IMPORT_VERSION, "en", { numeric: true }) < 0;
  const message = `The Pulumi CLI is ${pulumi}, but import needs ${MIN_IMPORT_VERSION} or newer`;
  const install = "Install the newest from https://www.pulumi.com/docs/install";
  return [
    ...(isOld ? about("warning", "pulumi-version", message, install) : []),
    ...(project === undefined ? [] : await projectFindings(project)),
  ];
}

async function projectFindings(project: string): Promise<Finding[]> {
  const file = nearest(project, PROJECT_FILES) ?? "";
  const { runtime } = await readProjectFile(file);
  // Programs in other languages need the plugin, and nothing of npm's.
  if (runtime.name !== undefined && runtime.name !== "nodejs") return pluginFindings(file);
  const missing = ["pulumi-tracking", "@pulumi/pulumi"].filter(
    (name) => nearest(project, [join("node_modules", name, "package.json")]) === undefined,
  );
  const message = `The program's folder has no ${missing.join(" and no ")}`;
  const install = `Run "npm install ${missing.join(" ")}" in the program's folder`;
  if (missing.length > 0) return about("error", "package-missing", message, install);
  const texts = [...(await programFiles(project)).values()];
  return texts.some((text) => /["']pulumi-tracking\/native["']/.test(text)) ? pluginFindings(file) : [];
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

function about(severity: Severity, code: Code, message: string, remedy: string): Finding[] {
  return [finding(severity, code, { stacks: [] }, message, remedy)];
}
