import { parseUrn } from "../../provider/hosts/urn";
import { describeRecord, IMPORT } from "../../provider/lifecycle/errors";
import { ownVersion } from "../manifest";
import type { Planned, Preview } from "../pulumi/preview";
import { PLUGIN, type Project, pluginPlace } from "../pulumi/project";
import { findDeclared, renameFailure } from "../renamed";
import type { Finding, Severity } from "./report";
import type { ListedRecord } from "./service";
import { aboutRecord, type StackRecord } from "./state";

/** The resources that a stack's program creates, by the records that they declare. */
export type Declared = ReadonlyMap<string, Planned>;

/** Reports an SDK of another version than the plugin that the project's file names, which the engine does not compare. */
export function versionFindings({ planned }: Pick<Preview, "planned">, project: Project): Finding[] {
  if (pluginPlace(project) === undefined) return [];
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

/** Reports a resource of the stack whose record the program declares under another name. */
export function renamedFinding(renamed: { readonly held: StackRecord; readonly declared: Planned }): Finding {
  const { problem: message, remedy } = renameFailure(renamed);
  return { ...aboutRecord(renamed.held), severity: "error", code: "renamed", message, remedy };
}

/**
 * Reports a record that no stack manages.
 *
 * @param created what each stack's program creates
 * @param severity of a record that no program declares either
 */
export function unmanagedFinding(
  listed: ListedRecord,
  created: ReadonlyMap<string, Declared>,
  severity: Severity,
): Finding {
  const { resource, stacks, id = "" } = listed;
  const about = { code: "unmanaged", stacks, service: resource.service, record: { type: resource.type, id } };
  const message = `The ${describeRecord(listed)} is in no stack that was read`;
  const declared = stacks.flatMap((stack) => {
    const found = findDeclared(listed, created.get(stack) ?? new Map());
    return found ? { ...found, stack } : [];
  });
  if (declared.length === 0) {
    const remedy =
      'If no stack of another project manages it either, import it with "npx pulumi-tracking import", or add it to the file of --ignore';
    return { ...about, severity, message, remedy };
  }
  const all = declared.map(({ urn, stack }) => `"${parseUrn(urn).name}" of stack ${stack}`).join(" and ");
  const adopts = declared.every(({ inputs }) => inputs?.adopt === true);
  const isOne = declared.length === 1;
  const fact = `${message}, and the program declares it as ${all}: the next up ${adopts ? "adopts it" : "fails"}`;
  if (adopts && isOne) return { ...about, severity: "info", message: fact };
  const remedy = `If no other stack manages it, ${isOne ? "" : "declare it in one stack only, and there "}run "${IMPORT}"`;
  return { ...about, severity: "error", message: fact, remedy };
}
