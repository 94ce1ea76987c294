import { version as ownVersion } from "../../package.json";
import { parseUrn } from "../../provider/hosts/urn";
import { providerUrn, resourceOfType } from "../look/held";
import type { Program } from "../pulumi/program";
import { type Project, pluginFolder } from "../pulumi/project";
import type { Finding } from "./report";

/** Reports an SDK of another version than the plugin that the project's file names, which the engine does not compare. */
export function versionFindings({ planned }: Pick<Program, "planned">, project: Project): Finding[] {
  if (pluginFolder(project) === undefined) return [];
  // A preview does not show default providers, but each resource names its own, and with it the SDK's version.
  const version = planned
    .filter(({ type }) => resourceOfType(type))
    .map((each) => /^default_(\d+_\d+_\d+)/.exec(parseUrn(providerUrn(each)).name)?.[1]?.replaceAll("_", "."))
    .find((each) => each !== undefined && each !== ownVersion.replace(/[-+].*/, ""));
  if (version === undefined) return [];
  const message = `The program's package is version ${version}, and the provider plugin is version ${ownVersion}`;
  const remedy = 'Run "pulumi package add" again, or install the plugin of the program\'s version';
  return [{ severity: "warning", code: "version-mismatch", stacks: [], message, remedy }];
}
