import { styleText } from "node:util";
import { capitalized } from "../../provider/api/api";
import type { Service } from "../../provider/schema/resource";
import { firstOf, groupsBy } from "../alike";
import { sanitized } from "../sanitized";

/** `error`: something can't work; `warning`: it works, but needs attention; `info`: good to know. */
const severities = ["error", "warning", "info"] as const;
export type Severity = (typeof severities)[number];

/** One result of `pulumi-tracking doctor`. */
export interface Finding {
  readonly severity: Severity;
  /** What it is, such as `record-missing`. New codes may come; none changes its meaning. */
  readonly code: string;
  /** Names of the stacks it concerns; empty if it concerns none. */
  readonly stacks: readonly string[];
  readonly service?: Service;
  /** The record it concerns: the resource's type, such as `Website`, and the record's id. */
  readonly record?: { readonly type: string; readonly id: string };
  /** What is the case, in one sentence without a full stop; never with a secret. */
  readonly message: string;
  /** What to do, likewise, or absent: the advice, under the name that readers of the JSON know. */
  readonly remedy?: string | undefined;
}

/** What `pulumi-tracking doctor --json` prints. */
export interface Report {
  /** Increases when a reader of the previous shape would no longer understand this one. */
  readonly format: 3;
  /** The version of `pulumi-tracking`. */
  readonly version: string;
  /** The stacks that were read; empty if only the environment was, or nothing could be. */
  readonly stacks: readonly string[];
  /** How many findings of each severity there are. */
  readonly counts: Readonly<Record<Severity, number>>;
  /** The worst first. */
  readonly findings: readonly Finding[];
}

/** Sorts and counts findings, and sanitizes every text. If two API keys of one account show the same, it is reported once. */
export function report(version: string, stacks: readonly string[], found: readonly Finding[]): Report {
  const unique = new Map(
    found.map((finding) => [`${finding.code} ${finding.service} ${finding.message}`, finding]),
  );
  const clean = sanitized([...unique.values()]).map(({ remedy, ...finding }) => ({
    ...finding,
    remedy: remedy && capitalized(remedy),
  }));
  const findings = severities.flatMap((severity) => clean.filter((finding) => finding.severity === severity));
  const count = (severity: Severity) => clean.filter((finding) => finding.severity === severity).length;
  const counts = { error: count("error"), warning: count("warning"), info: count("info") };
  return { format: 3, version, stacks, counts, findings };
}

const colors = { error: "red", warning: "yellow", info: "green" } as const;

/** @param options `showsStacks`: the report is on several stacks */
function formatFinding({ severity, stacks, message, remedy }: Finding, { showsStacks = false } = {}): string {
  const of = showsStacks && stacks.length > 0 ? `[${stacks.join(", ")}] ` : "";
  const action = remedy && severity !== "info" ? `${" ".repeat(11)}→ ${remedy}\n` : "";
  return `  ${styleText(colors[severity], severity.padEnd(8))} ${of}${message}\n${styleText("dim", action)}`;
}

/** The report as text; in color, if standard output shows colors. */
export function formatReport({ version, stacks, counts, findings }: Report): string {
  // Without --ignore, an account of several projects has many records in no stack; one line counts them, and `list` shows them.
  const isCounted = ({ severity, code }: Finding) => severity === "info" && code === "unmanaged";
  const unmanaged = findings.filter(isCounted);
  const groups = groupsBy(findings, (finding) =>
    isCounted(finding) ? undefined : `${finding.severity} ${finding.code}`,
  );
  const lines = groups.flatMap((alike) =>
    firstOf(
      alike.map((finding) => formatFinding(finding, { showsStacks: stacks.length > 1 })),
      (omitted) => `  … and ${omitted} more of this kind; --json shows all\n`,
    ),
  );
  const [one, another] = unmanaged;
  const count = `Records in no stack that was read: ${unmanaged.length}. "npx pulumi-tracking list" shows them`;
  if (one !== undefined)
    lines.push(formatFinding({ ...one, stacks: [], message: another ? count : one.message }));
  const many = (count: number, what: string) => `${count || "no"} ${what}${count === 1 ? "" : "s"}`;
  const places =
    stacks.length === 0 ? "no stack" : `stack${stacks.length > 1 ? "s" : ""} ${stacks.join(", ")}`;
  return (
    `pulumi-tracking ${version} checked ${places}\n\n${lines.join("")}\n` +
    `${many(counts.error, "error")}, ${many(counts.warning, "warning")}\n`
  );
}
