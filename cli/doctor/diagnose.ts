import { version } from "../../package.json";
import { inOneLine } from "../../provider/api/api";
import type { Logger } from "../../provider/api/client";
import { CommandFailure } from "../failure";
import { look } from "../look/look";
import type { OpenStack } from "../look/stacks";
import { NoStack } from "../pulumi/explain-failure";
import { Stack } from "../pulumi/stack";
import type { StackOptions } from "../stack-options";
import { idleStack } from "../unread";
import { pendingFindings } from "./pending";
import { recordFindings } from "./records";
import { type Finding, type Report, report } from "./report";
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
  { ignores, ...options }: Selection,
  folder: string,
  logger: Logger,
  open: OpenStack = (name) => new Stack(name),
): Promise<Report> {
  const { stacks, unreadStacks, usesEnvironment, mistakes, idleStacks, answers, rows } = await look(
    options,
    folder,
    logger,
    open,
  );
  const findings = unreadStacks.map(({ stack, failure }): Finding => {
    const prefix = usesEnvironment ? "The settings are those of the environment. " : "";
    return {
      severity: usesEnvironment ? "info" : "error",
      code: failure instanceof NoStack ? "no-stack" : "stack-unreadable",
      stacks: stack === undefined ? [] : [stack],
      message: prefix + failure.title,
      remedy: failure.advice,
    };
  });
  const reportOldPulumi = (error: unknown) => {
    if (!(error instanceof CommandFailure)) throw error;
    const { title: message, advice: remedy } = error;
    findings.push({ severity: "warning", code: "pulumi-version", stacks: [], message, remedy });
  };
  if (stacks.length > 0) await open().requireImportSupport().catch(reportOldPulumi);
  const records = recordFindings(rows, { ignores, isComplete: unreadStacks.length === 0 });
  findings.push(
    ...stacks.flatMap(configFindings),
    ...mistakes.map(({ stacks: names, title: message, advice }): Finding => {
      return {
        severity: "error",
        code: "setting-invalid",
        stacks: names,
        message,
        remedy: inOneLine(advice),
      };
    }),
    ...idleStacks.map((stack): Finding => {
      return { severity: "error", code: "setting-missing", stacks: [stack.name], ...idleStack(stack) };
    }),
    ...stacks.flatMap(({ name, deployment }) => pendingFindings(name, deployment)),
    // Without a stack, every record is in none, and that is no finding.
    ...records.filter(({ code }) => code !== "unmanaged" || stacks.length > 0),
    ...answers.flatMap(serviceFindings),
  );
  return report(
    version,
    stacks.map(({ name }) => name),
    findings,
  );
}
