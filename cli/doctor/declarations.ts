import { resolve } from "node:path";
import { hasPlugin, pluginCache } from "../../provider/config/plugins";
import { parseUrn } from "../../provider/hosts/urn";
import { describeRecord, IMPORT } from "../../provider/lifecycle/errors";
import { ownVersion } from "../manifest";
import { usesPlugin } from "../pulumi/main-file";
import type { Planned, Preview } from "../pulumi/preview";
import type { Project } from "../pulumi/project";
import { declarations, findDeclared, renameFailure } from "../renamed";
import type { Finding, Severity } from "./report";
import type { ListedRecord } from "./service";
import { aboutRecord, type StackRecord } from "./state";

const PLUGIN = "tracking";

/**
 * Reports a program that needs the plugin, if the engine can't find it: in the folder that the project's file names, or
 * among the user's plugins.
 */
export function pluginFindings(project: Project): Finding[] {
  if (!usesPlugin(project)) return [];
  const path = project.plugins?.providers?.find(({ name }) => name === PLUGIN)?.path;
  const place = path === undefined ? pluginCache() : resolve(project.folder, path);
  if (hasPlugin(place)) return [];
  const message = `The program needs the provider plugin, and it is not in ${place}`;
  const remedy = 'Run "npx pulumi-tracking init-native"';
  return [{ severity: "error", code: "plugin-missing", stacks: [], message, remedy }];
}

/** Reports an SDK of another version than the plugin that the project's file names, which the engine does not compare. */
export function versionFindings({ planned }: Pick<Preview, "planned">, { plugins }: Project): Finding[] {
  if (!plugins?.providers?.some(({ name }) => name === PLUGIN)) return [];
  const versions = planned
    .filter(({ type }) => type === `pulumi:providers:${PLUGIN}`)
    .map(({ inputs = {} }) => inputs.version);
  const plugin = ownVersion();
  const sdk = versions.find((each) => typeof each === "string" && each !== plugin);
  if (sdk === undefined) return [];
  const message = `The program's package is version ${sdk}, and the provider plugin is version ${plugin}`;
  const remedy = 'Run "pulumi package add" again, or install the plugin of the program\'s version';
  return [{ severity: "warning", code: "version-mismatch", stacks: [], message, remedy }];
}

/**
 * Reports what the stack manages and the program does not declare: a resource was renamed, or a file is not imported.
 *
 * @param files the program's files, by their names
 */
export function undeclaredFindings(
  managed: readonly StackRecord[],
  { keeps, creates }: Preview,
  files: ReadonlyMap<string, string>,
): Finding[] {
  const undeclared = managed.filter(({ urn }) => !keeps(urn));
  const declared = declarations(creates);
  return undeclared.map((held) => {
    const renamed = findDeclared(held, declared);
    if (renamed === undefined) return removedFinding(held, files);
    const { problem: message, remedy } = renameFailure({ held, declared: renamed });
    return { ...aboutRecord(held), severity: "error", code: "renamed", message, remedy };
  });
}

/** The program does not declare the record; a file that is not imported may name it. */
function removedFinding(held: StackRecord, files: ReadonlyMap<string, string>): Finding {
  const key = String(held.values[held.resource.key]);
  const [file] = [...files].find(([each, text]) => !each.startsWith("index.") && text.includes(key)) ?? [];
  const line = file?.endsWith("ml") ? `tracking.declareFrom("${file}")` : `an import of ${file}`;
  return {
    ...aboutRecord(held),
    severity: "warning",
    code: "undeclared",
    message: `The program does not declare the ${describeRecord(held)} of "${held.name}": the next up deletes it, or fails because it is protected`,
    remedy: file
      ? `Add ${line} to the program: that file names the record`
      : 'Declare it again, or see "pulumi preview" before you run "pulumi up"',
  };
}

/**
 * Reports a record that no stack manages.
 *
 * @param created what each stack's program creates
 * @param severity of a record that no program declares either
 */
export function unmanagedFinding(
  listed: ListedRecord,
  created: ReadonlyMap<string, ReadonlyMap<string, Planned>>,
  severity: Severity,
): Finding {
  const { resource, stacks, id = "" } = listed;
  const about = { code: "unmanaged", stacks, service: resource.service, record: { type: resource.type, id } };
  const message = `The ${describeRecord(listed)} is in no stack that was read`;
  const declared = stacks.flatMap((stack) => {
    const found = findDeclared(listed, created.get(stack) ?? new Map());
    return found ? { ...found, stack } : [];
  });
  const [first, second] = declared;
  if (first === undefined) {
    const remedy =
      'If no stack of another project manages it either, import it with "npx pulumi-tracking import", or add it to the file of --ignore';
    return { ...about, severity, message, remedy };
  }
  const use = `${message}, and the program declares it as "${parseUrn(first.urn).name}": the next up`;
  const adopts = declared.every(({ inputs }) => inputs?.adopt === true);
  if (adopts && !second) return { ...about, severity: "info", message: `${use} adopts it` };
  const users = declared.map(({ stack }) => stack).join(", ");
  const where = second ? ` with --stack for one of ${users}, and declare it only there` : "";
  return {
    ...about,
    severity: "error",
    message: `${use} ${adopts ? "of each stack adopts it" : "fails"}`,
    remedy: `If no other stack manages it, run "${IMPORT}"${where}`,
  };
}
