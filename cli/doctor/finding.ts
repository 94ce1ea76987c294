import type { Service } from "../../provider/schema/resource";

/** What a finding is about, in the order in which findings are printed. */
export const topics = ["project", "versions", "settings", "services", "state", "records"] as const;
export type Topic = (typeof topics)[number];

/** `error`: something can't work; `warning`: it works, but needs attention; `info`: good to know. */
export const severities = ["error", "warning", "info"] as const;
export type Severity = (typeof severities)[number];

/** Every code by its topic. The codes are part of the public shape: new ones may come, none changes its meaning. */
const codesByTopic = {
  project: ["no-stack", "stack-unreadable", "pulumi-missing"],
  versions: [
    "node-version",
    "pulumi-version",
    "sdk-version",
    "sdk-missing",
    "package-version",
    "package-missing",
  ],
  settings: [
    "setting",
    "setting-shadowed",
    "setting-missing",
    "setting-invalid",
    "setting-unknown",
    "plaintext-key",
    "insecure-http",
    "service-unused",
  ],
  services: [
    "service-ok",
    "unreachable",
    "redirected",
    "wrong-service",
    "wrong-base-url",
    "key-rejected",
    "forbidden",
    "rate-limited",
    "service-error",
  ],
  state: ["pending-operation", "foreign-provider", "managed-twice", "duplicate-in-state"],
  records: ["list-incomplete", "record-missing", "record-mismatch", "drift", "duplicate-record", "unmanaged"],
} as const;
export type Code = (typeof codesByTopic)[Topic][number];
export const codes: readonly Code[] = topics.flatMap((topic): readonly Code[] => codesByTopic[topic]);

/** One result of `pulumi-tracking doctor`. */
export interface Finding {
  readonly topic: Topic;
  readonly severity: Severity;
  readonly code: Code;
  /** Names of the stacks it concerns; empty where it concerns none. */
  readonly stacks: readonly string[];
  /** The service it concerns. */
  readonly service?: Service;
  /** The record it concerns: the resource's type, such as `Website`, and the record's id. */
  readonly record?: { readonly type: string; readonly id: string };
  /** What is the case, in one sentence without a full stop; never with a secret. */
  readonly message: string;
  /** What to do, in one sentence without a full stop; absent where there is nothing to do. */
  readonly remedy?: string;
}

/** What `pulumi-tracking doctor --json` prints. */
export interface Report {
  /** Increases when a reader of the previous shape would no longer understand this one. */
  readonly format: 2;
  /** The version of `pulumi-tracking`. */
  readonly version: string;
  /** The stacks that were read; empty where only the environment was. */
  readonly stacks: readonly string[];
  /** How many findings of each severity there are. */
  readonly counts: Readonly<Record<Severity, number>>;
  /** By topic, and the worst first. */
  readonly findings: readonly Finding[];
}

/** A finding; its topic follows from its code. */
export function finding(
  severity: Severity,
  code: Code,
  about: Pick<Finding, "stacks" | "service" | "record">,
  message: string,
  remedy?: string,
): Finding {
  const topic = topics.find((each) => (codesByTopic[each] as readonly Code[]).includes(code)) ?? "project";
  return { topic, severity, code, ...about, message, ...(remedy !== undefined && { remedy }) };
}

/** Sorts and counts findings, and sanitizes every text. */
export function report(
  version: string,
  stacks: readonly string[],
  found: readonly Finding[],
  sanitize: (text: string) => string,
): Report {
  const rank = ({ topic, severity }: Finding) =>
    topics.indexOf(topic) * severities.length + severities.indexOf(severity);
  const findings = found
    .map(({ remedy, ...each }) => ({
      ...each,
      message: sanitize(each.message),
      ...(remedy !== undefined && { remedy: sanitize(remedy) }),
    }))
    .sort((a, b) => rank(a) - rank(b));
  const count = (severity: Severity) => findings.filter((each) => each.severity === severity).length;
  const counts = { error: count("error"), warning: count("warning"), info: count("info") };
  return { format: 2, version, stacks, counts, findings };
}
