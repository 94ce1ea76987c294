import { inOneLine } from "../../provider/api/api";
import { adviceForOld, IMPORT } from "../../provider/lifecycle/advice";
import { describeRecord } from "../../provider/lifecycle/errors";
import { adviceFor, describeStanding } from "../../provider/lifecycle/standing";
import { format, formatIds } from "../../provider/schema/format";
import { countOf } from "../alike";
import { placeOf } from "../look/held";
import type { Problem, RecordRow } from "../look/look";
import { patternOf } from "../patterns";
import { shellQuote } from "../shell-quote";
import type { Finding, Severity } from "./report";

/** A problem for people: what is the case, and what to do. */
type Description = readonly [Severity, message: string, remedy: string];

/** Describes the resources whose ids do not lead to their records. None has a standing if it is another account. */
const describeDiffering = (row: RecordRow): Description[] =>
  row.differing.flatMap(({ held, standing }) => {
    const name = `The ${describeRecord(held)} of "${held.name}"`;
    return standing
      ? [
          [
            "error",
            describeStanding(standing, name),
            `If the base URL or the key belongs to another account, correct it; else ${inOneLine(adviceFor(standing))}`,
          ],
        ]
      : [];
  });

function keyOf({ resource, values }: RecordRow): string {
  return String(values[resource.key]);
}

function adviceForUnmanaged(row: RecordRow): string {
  const { key } = row.resource;
  if (row.values[key] == null) return adviceForOld(key);
  // Without --match, an import takes the records of other projects too.
  const command = `npx pulumi-tracking import --match ${shellQuote(patternOf(keyOf(row)))}`;
  const first = row.twins.length > 1 ? `First leave one record with its ${key}. ` : "";
  return `${first}If no stack of another project manages it either, run "${command}"; to leave it out, give its ${key} to --ignore`;
}

/** Describes each problem. Another account (`wrong-account`) is one finding of the service, and all drift is one. */
const descriptions: Partial<Record<Problem, (row: RecordRow) => readonly Description[]>> = {
  "record-missing": describeDiffering,
  "wrong-id": describeDiffering,
  "another-record": describeDiffering,
  "record-unreadable": describeDiffering,
  "state-unreadable": ({ holders, unreadable }) =>
    holders.map(
      (held): Description => [
        "error",
        `The ${describeRecord({ ...held, id: undefined })} of "${held.name}" can't be read from state: ${unreadable.join(", ")}`,
        `Drop it from state with "pulumi state delete --force ${shellQuote(held.urn)}". Then "${IMPORT}" imports it again`,
      ],
    ),
  "managed-twice": (row) => [
    [
      "error",
      `${row.holders.map(({ name, stack }) => `"${name}" of stack ${stack}`).join(" and ")} manage the same ${describeRecord(row)}: each undoes the other's changes`,
      row.holders[0]?.stack === row.holders.at(-1)?.stack
        ? `Remove one of them from the program, and run "pulumi up", which keeps the record; if it is protected, first run "pulumi state unprotect 'URN'"`
        : 'Keep one of them. For the other, declare it with the option retainOnDelete: true and run "pulumi up", then remove it and run "pulumi up" again: that keeps the record',
    ],
  ],
  "pending-delete": (row) => [
    [
      "warning",
      `The ${describeRecord(row)} was replaced by "${row.holders[0]?.name}", and the next "pulumi up" deletes it`,
      'To keep the record, first declare a second resource for it, with adopt: true; else run "pulumi up"',
    ],
  ],
  "duplicate-record": ({ resource, twins }) => [
    [
      "warning",
      `The service has ${countOf(resource, twins)} with the ${resource.key} ${format(resource.inputs[resource.key], twins[0]?.values[resource.key])} (${formatIds(twins)})`,
      "Let a stack manage the one that has the data, and delete the others in the service's web interface",
    ],
  ],
  unmanaged: (row) => [
    ["info", `The ${describeRecord(row)} is in no stack that was read`, adviceForUnmanaged(row)],
  ],
};

function driftFinding(drifted: readonly RecordRow[]): Finding[] {
  if (drifted.length === 0) return [];
  const stacks = [...new Set(drifted.flatMap(({ holders }) => holders.map(({ stack }) => stack)))];
  const message = `Records that differ from state: ${drifted.length}. "npx pulumi-tracking list" shows in what`;
  return [{ severity: "info", code: "drift", stacks, message }];
}

/** What decides whether a record in no stack is a warning. */
interface Scope {
  /**
   * Whether a record with this key may be in no stack, or one of several with it. If given, any other record in no stack is a
   * warning.
   */
  readonly ignores: ((key: string) => boolean) | undefined;
  /** Every stack could be read. If not, the record may be in one that could not. */
  readonly isComplete: boolean;
}

/** Returns the findings on records, one for each problem. */
export function recordFindings(rows: readonly RecordRow[], { ignores, isComplete }: Scope): Finding[] {
  // A record that may be a resource's under another id now is no "unmanaged" one: the finding on the resource says what to do.
  const namesakes = new Set(
    rows.flatMap(({ differing, ...place }) =>
      differing.flatMap(({ standing }) =>
        (standing?.namesakes ?? []).map(({ id }) => placeOf({ ...place, id })),
      ),
    ),
  );
  const findings = rows.flatMap((row) => {
    const { resource, id = "", holders, stacks } = row;
    const isIgnored = ignores?.(keyOf(row)) === true;
    return row.problems.flatMap((code) => {
      const isOfService = code === "unmanaged" || code === "duplicate-record";
      if (isOfService && isIgnored) return [];
      if (code === "unmanaged" && namesakes.has(placeOf(row))) return [];
      const about = {
        stacks: isOfService ? stacks : [...new Set(holders.map(({ stack }) => stack))],
        ...(isOfService && { service: resource.service }),
        ...(code !== "duplicate-record" && { record: { type: resource.type, id } }),
      };
      return (descriptions[code]?.(row) ?? []).map(([severity, message, remedy]) => ({
        severity: code === "unmanaged" && ignores && isComplete ? "warning" : severity,
        code,
        ...about,
        message,
        remedy,
      }));
    });
  });
  return [...findings, ...driftFinding(rows.filter(({ problems }) => problems.includes("drift")))];
}
