import { version } from "../../package.json";
import type { Logger } from "../../provider/api/client";
import { CommandFailure } from "../failure";
import { look } from "../look/look";
import type { OpenStack, ReadStack } from "../look/stacks";
import { NoStack } from "../pulumi/explain-failure";
import { previewProgram } from "../pulumi/program";
import type { Project } from "../pulumi/project";
import { Stack } from "../pulumi/stack";
import { findRedeclared } from "../redeclared";
import type { StackOptions } from "../stack-options";
import { pendingOperations } from "./pending";
import { versionFindings } from "./program";
import { recordFindings } from "./records";
import { type Finding, type Report, report, type Severity } from "./report";
import { serviceFindings } from "./services";
import { configFindings } from "./settings";

/** What to check. */
export interface Selection extends StackOptions {
  /** Whether a record with this domain or name may be in no stack; if given, each other one is a warning. */
  readonly ignores?: ((key: string) => boolean) | undefined;
}

/**
 * Checks everything and changes nothing.
 *
 * @param folder the folder that the command runs in
 */
export async function diagnose(
  { ignores, ...wanted }: Selection,
  folder: string,
  logger: Logger,
  open: OpenStack = (name) => new Stack(name),
): Promise<Report> {
  const { project, stacks, unread, isAlone, mistakes, answers, rows } = await look(
    wanted,
    folder,
    logger,
    open,
  );
  const findings: Finding[] = [];
  const failed = failures(findings);
  for (const { stack, failure } of unread) {
    const before = isAlone ? "The settings are those of the environment. " : "";
    const code = failure instanceof NoStack ? "no-stack" : "stack-unreadable";
    failed(isAlone ? "info" : "error", code, stack, before)(failure);
  }
  if (stacks.length > 0) await open().requireImportSupport().catch(failed("warning", "pulumi-version"));
  const records = recordFindings(rows, ignores, unread.length === 0);
  const isOutside = ({ code }: Finding) => code === "unmanaged";
  findings.push(
    ...stacks.flatMap(configFindings),
    ...mistakes.map(({ stacks: of, label, text: message }): Finding => {
      return { severity: "error", code: "setting-invalid", stacks: of, message, remedy: `Set ${label}` };
    }),
    ...stacks.flatMap(({ name, deployment }) => pendingOperations(name, deployment)),
    ...records.filter((each) => !isOutside(each)),
    ...answers.flatMap(serviceFindings),
  );
  // A preview tells something only if all that it needs works.
  if (project !== undefined && !findings.some(({ severity }) => severity === "error"))
    for (const each of stacks.filter(({ isForeign }) => !isForeign))
      findings.push(...(await programFindings(each, project)));
  // Without a stack, every record is.
  if (stacks.length > 0) findings.push(...records.filter(isOutside));
  const names = stacks.map(({ name }) => name);
  return report(version, names, findings);
}

/** Reports what a stack's program declares otherwise than the stack has it. */
async function programFindings({ name, stack, records }: ReadStack, project: Project): Promise<Finding[]> {
  const findings: Finding[] = [];
  const unknown = "The program can't be previewed, so what it declares is unknown: ";
  const failed = failures(findings)("error", "program-failed", name, unknown);
  const program = await previewProgram(stack).catch(failed);
  if (program === undefined) return findings;
  for (const { held, both, way: remedy } of findRedeclared(records, program)) {
    const record = { type: held.resource.type, id: held.id };
    const message = `The program declares ${both}`;
    findings.push({ severity: "error", code: "renamed", stacks: [name], record, message, remedy });
  }
  return [...versionFindings(program, project), ...findings];
}

/** Reports failed commands; any other error is thrown again. */
function failures(findings: Finding[]) {
  return (severity: Severity, code: string, stack?: string, before = "") =>
    (error: unknown): undefined => {
      if (!(error instanceof CommandFailure)) throw error;
      const stacks = stack === undefined ? [] : [stack];
      findings.push({ severity, code, stacks, message: before + error.problem, remedy: error.remedy });
    };
}
