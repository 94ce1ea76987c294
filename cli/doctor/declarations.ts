import { parseUrn } from "../../provider/hosts/urn";
import { describeRecord, IMPORT } from "../../provider/lifecycle/errors";
import { ownVersion } from "../manifest";
import type { Preview } from "../pulumi/preview";
import { type Project, pluginPlace } from "../pulumi/project";
import { type Renamed, renameFailure } from "../renamed";
import { shellQuote } from "../shell-quote";
import { providerUrn, resourceOfType } from "../stack-records";
import type { Finding, Severity } from "./report";
import type { ListedRecord } from "./service";
import { aboutRecord } from "./state";

/** Reports an SDK of another version than the plugin that the project's file names, which the engine does not compare. */
export function versionFindings({ planned }: Pick<Preview, "planned">, project: Project): Finding[] {
  if (pluginPlace(project) === undefined) return [];
  const plugin = ownVersion();
  // A preview does not show default providers, but each resource names its own, and with it the SDK's version.
  const version = planned
    .filter(({ type }) => resourceOfType(type))
    .map((each) => /^default_(\d+_\d+_\d+)/.exec(parseUrn(providerUrn(each)).name)?.[1]?.replaceAll("_", "."))
    .find((each) => each !== undefined && each !== plugin.replace(/[-+].*/, ""));
  if (version === undefined) return [];
  const message = `The program's package is version ${version}, and the provider plugin is version ${plugin}`;
  const remedy = 'Run "pulumi package add" again, or install the plugin of the program\'s version';
  return [{ severity: "warning", code: "version-mismatch", stacks: [], message, remedy }];
}

/** Reports a resource of the stack whose record the program declares under another name. */
export function renamedFinding(renamed: Renamed): Finding {
  const { problem: message, remedy } = renameFailure(renamed);
  return { ...aboutRecord(renamed.held), severity: "error", code: "renamed", message, remedy };
}

/** Reports a record that no stack manages. An import without --match would also take those of other projects. */
export function unmanagedFinding(listed: ListedRecord, severity: Severity): Finding {
  const { resource, stacks, id = "", values } = listed;
  const { key, service, type } = resource;
  const message = `The ${describeRecord(listed)} is in no stack that was read`;
  const remedy = `If no stack of another project manages it either, import it with "npx pulumi-tracking import --match ${shellQuote(String(values[key]))}", or with "${IMPORT}" if the program declares it; or give its ${key} to --ignore`;
  return { severity, code: "unmanaged", stacks, service, record: { type, id }, message, remedy };
}
