import type { Service } from "../../provider/schema/resource";

/** What a finding is about, in the order in which findings are told. */
export const topics = ["project", "versions", "settings", "services", "state", "records"] as const;
export type Topic = (typeof topics)[number];

/** `error`: something can't work; `warning`: it works, and may not for long; `info`: good to know. */
export const severities = ["error", "warning", "info"] as const;
export type Severity = (typeof severities)[number];

/** What was found. The words are part of the public shape: new ones may come, none changes its meaning. */
export const codes = [
  // project
  "no-stack",
  "stack-unreadable",
  // versions
  "node-version",
  "pulumi-version",
  "pulumi-missing",
  "sdk-version",
  "sdk-missing",
  "package-version",
  "package-missing",
  // settings
  "setting",
  "setting-shadowed",
  "setting-missing",
  "setting-invalid",
  "setting-unknown",
  "plaintext-key",
  "insecure-http",
  "service-unused",
  // services
  "service-ok",
  "unreachable",
  "redirected",
  "wrong-service",
  "wrong-base-url",
  "key-rejected",
  "forbidden",
  "rate-limited",
  "service-error",
  // state
  "pending-operation",
  "foreign-provider",
  "managed-twice",
  "duplicate-in-state",
  // records
  "list-incomplete",
  "record-missing",
  "record-mismatch",
  "drift",
  "duplicate-record",
  "unmanaged",
] as const;
export type Code = (typeof codes)[number];

/** One thing that `pulumi-tracking doctor` found. */
export interface Finding {
  readonly topic: Topic;
  readonly severity: Severity;
  readonly code: Code;
  /** Names of the stacks that it is about; empty where it is about none. */
  readonly stacks: readonly string[];
  /** The service that it is about. */
  readonly service?: Service;
  /** The record that it is about: the resource's type, such as `Website`, and the record's id. */
  readonly record?: { readonly type: string; readonly id: string };
  /** What was seen, in one sentence without a full stop; never with a secret. */
  readonly message: string;
  /** What to do, in one sentence without a full stop; absent where there is nothing to do. */
  readonly remedy?: string;
}

/** What `pulumi-tracking doctor --json` prints. */
export interface Report {
  /** Goes up when a reader of the last shape would no longer understand this one. */
  readonly format: 2;
  /** The version of `pulumi-tracking`. */
  readonly version: string;
  /** The stacks that were read; empty where the environment alone was. */
  readonly stacks: readonly string[];
  /** How many findings of each severity there are. */
  readonly counts: Readonly<Record<Severity, number>>;
  /** By topic, and the worst first. */
  readonly findings: readonly Finding[];
}

/** Puts findings in their order, counts them, and passes every text through the one exit for texts. */
export function report(
  version: string,
  stacks: readonly string[],
  found: readonly Finding[],
  clean: (text: string) => string,
): Report {
  const rank = ({ topic, severity }: Finding) =>
    topics.indexOf(topic) * severities.length + severities.indexOf(severity);
  const findings = found
    .map(({ remedy, ...finding }) => ({
      ...finding,
      message: clean(finding.message),
      ...(remedy === undefined ? {} : { remedy: clean(remedy) }),
    }))
    .sort((a, b) => rank(a) - rank(b));
  const count = (severity: Severity) => findings.filter((each) => each.severity === severity).length;
  const counts = { error: count("error"), warning: count("warning"), info: count("info") };
  return { format: 2, version, stacks, counts, findings };
}
