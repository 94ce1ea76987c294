import { resolve } from "node:path";
import { hasPlugin, pluginCache } from "../../provider/config/plugins";
import { describeRecord } from "../../provider/lifecycle/errors";
import { CommandFailure } from "../failure";
import { previewProgram } from "../pulumi/preview";
import { programFiles, usesPlugin } from "../pulumi/program";
import type { Project } from "../pulumi/project";
import type { Stack } from "../pulumi/stack";
import { describeRenamed, findRenamed } from "../renamed";
import { type Finding, finding } from "./report";
import { aboutRecord, type StackRecord } from "./state";

/**
 * Reports a program that needs the plugin, if the engine can't find it: in the folder that the project's file names, or
 * among the user's plugins.
 */
export function pluginFindings(project: Project): Finding[] {
  if (!usesPlugin(project)) return [];
  const path = project.plugins?.providers?.find(({ name }) => name === "tracking")?.path;
  const place = path === undefined ? pluginCache() : resolve(project.folder, path);
  if (hasPlugin(place)) return [];
  const message = `The program needs the provider plugin, and it is not in ${place}`;
  const remedy = 'Run "npx pulumi-tracking init-native"';
  return [finding("error", "plugin-missing", { stacks: [] }, message, remedy)];
}

/**
 * Reports, by a preview, what the stack manages and the program does not declare: a resource was renamed, or a file is
 * not imported.
 */
export async function programFindings(
  name: string,
  stack: Stack,
  managed: readonly StackRecord[],
  project: Project,
): Promise<Finding[]> {
  const preview = await previewProgram(stack).catch((error: unknown) => {
    if (error instanceof CommandFailure) return error;
    throw error;
  });
  if (preview instanceof CommandFailure) {
    const message = `The program can't be previewed, so what it declares is unknown: ${preview.problem}`;
    return [finding("warning", "program-failed", { stacks: [name] }, message, preview.remedy)];
  }
  const undeclared = managed.filter(({ urn }) => !preview.keeps(urn));
  const renamed = findRenamed(undeclared, preview.creates);
  const removed = undeclared.filter((each) => !renamed.some(({ held }) => held === each));
  return [
    ...renamed.map((each) => {
      const { problem, remedy } = describeRenamed([each]);
      return finding("error", "renamed", aboutRecord(each.held), problem, remedy);
    }),
    ...removed.map((each) => removedFinding(each, programFiles(project))),
  ];
}

/** The program does not declare the record; a file that is not imported may name it. */
function removedFinding(held: StackRecord, files: ReadonlyMap<string, string>): Finding {
  const { resource, values, name } = held;
  const key = String(values[resource.key]);
  const [file] = [...files].find(([each, text]) => !each.startsWith("index.") && text.includes(key)) ?? [];
  const message = `The program does not declare the ${describeRecord(held)} of "${name}": the next up deletes it, or fails because it is protected`;
  const remedy = file
    ? `Import ${file}, which names it, in the program`
    : 'Declare it again, or see "pulumi preview" before you run "pulumi up"';
  return finding("warning", "undeclared", aboutRecord(held), message, remedy);
}
