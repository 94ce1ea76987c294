import { capitalized } from "../../provider/api/api";
import { inGuide } from "../../provider/lifecycle/advice";
import { groupsBy } from "../alike";
import type { CommandFailure } from "../failure";
import { code, markdown, type Part } from "../markdown";
import { sanitized } from "../sanitized";
import { type Change, type ChangeKind, kinds } from "./changes";
import type { Message } from "./messages";
import { describeField, describeNewField } from "./words";

const HEADING = "Websites and pixels";
/** How many resources with the same change one line names. */
const MAX_NAMED = 100;

/** What is said once of all changes of a kind, with words for code in backquotes. */
const intros: Partial<Record<ChangeKind, string>> = {
  recreated: `Pulumi deletes and creates a resource that has another name or parent. Give the old one in \`aliases\`: see ${inGuide("Renaming a resource")}.`,
};

/** What a preview found that must find nothing, and what to do about it. */
export interface Unexpected {
  /** What differs from the program. */
  readonly side: "service" | "state";
  /** One sentence, with commands in double quotes. */
  readonly advice: string;
}

/** All that a preview shows. */
export interface Report {
  readonly changes: readonly Change[];
  readonly messages: readonly Message[];
  /** What policies say. */
  readonly policies: readonly Message[];
  readonly unexpected?: Unexpected | undefined;
  /** Why it failed, if so: then it had not come to all resources, and "no changes" would be wrong. */
  readonly failure?: CommandFailure | undefined;
}

/** Says how much is lost, such as `2 websites lose their statistics`. */
function lossesOf(changes: readonly Change[]): string[] {
  const groups = groupsBy(changes, ({ type, loses }) => loses && JSON.stringify([type, loses]));
  return groups.map(([{ type, loses }, ...others]) =>
    others.length === 0
      ? `1 ${type} loses its ${loses}`
      : `${others.length + 1} ${type}s lose their ${loses}`,
  );
}

/** Says what is lost, and how many changes of each kind there are, such as `2 created; 1 deleted`. */
function summaryOf({ changes, policies, failure, unexpected }: Report): string {
  const ofKinds = Object.entries(kinds)
    .map(([kind, title]) => [title, changes.filter((change) => change.kind === kind).length] as const)
    .filter(([, count]) => count > 0)
    .map(([title, count]) => `${count} ${title.charAt(0).toLowerCase()}${title.slice(1)}`);
  const refusal = policies.some(({ isError }) => isError) ? ": a policy refuses it" : "";
  const failed = failure === undefined ? [] : [`the preview failed${refusal}`];
  const summary = [...failed, ...lossesOf(changes), ...ofKinds].join("; ") || "no changes";
  if (unexpected === undefined) return summary;
  const { length } = changes;
  return `${length} difference${length === 1 ? "" : "s"} between the ${unexpected.side} and the program: ${summary}`;
}

/** Cuts resources with the same change into those that share a line. */
function chunks<T>(group: readonly T[]): T[][] {
  const starts = group.flatMap((_, at) => (at % MAX_NAMED === 0 ? [at] : []));
  return starts.map((start) => group.slice(start, start + MAX_NAMED));
}

/** A change in words. */
type Told = Pick<Change, "kind" | "type" | "key"> & { fields: readonly string[]; remark: string };

function tell({ kind, type, key, fields, remark = "" }: Change): Told {
  const isNew = kind === "created" || (kind === "imported" && remark === "");
  return sanitized({ kind, type, key, remark, fields: fields.map(isNew ? describeNewField : describeField) });
}

/** One line on resources with the same change. */
function lineOf(alike: readonly Told[], quote: (text: string) => string): string {
  const [{ type, fields, remark }, second] = alike as [Told, Told?];
  const names = alike.map(({ key }) => quote(key)).join(", ");
  const words = [...fields.map(quote), remark].filter(Boolean).join("; ");
  if (second !== undefined) return `${alike.length} ${type}s: ${words}: ${names}`;
  return words === "" ? `${type} ${names}` : `${type} ${names}: ${words}`;
}

/**
 * The parts of a report: what policies refuse, a kind of change each, what policies advise, and the messages. Resources with the
 * same change share a line.
 *
 * @param quote marks what comes from the service, so that Markdown shows it literally
 * @param lineBreak between two lines of a message
 */
function partsOf(
  { changes, messages, policies }: Report,
  quote: (text: string) => string,
  lineBreak: string,
): Part[] {
  const told = changes.map(tell);
  const changeParts = Object.entries(kinds).map(([kind, title]) => {
    const ofKind = told.filter((change) => change.kind === kind);
    const alike = groupsBy(ofKind, ({ type, key, fields, remark }) => {
      const isOnItsOwn = fields.length === 0 && kind !== "recreated";
      return JSON.stringify([type, fields, remark, isOnItsOwn && key]);
    });
    const isFolded = kind === "created" && ofKind.length > 10 && !ofKind.some(({ remark }) => remark);
    const rows = alike.flatMap(chunks).map((chunk) => [lineOf(chunk, quote)]);
    return { title, isFolded, rows, intro: intros[kind as ChangeKind], count: ofKind.length };
  });
  const namesOf = (names: readonly string[]) =>
    `${names.slice(0, MAX_NAMED).map(quote).join(", ")}${names.length > MAX_NAMED ? ", …" : ""}`;
  const textOf = ({ lines }: Message) => lines.map(quote).join(lineBreak);
  const messageRow = (message: Message) => {
    const { names } = message;
    const others = names.length > 1 ? `${lineBreak}${names.length} times: ${namesOf(names)}` : "";
    return [`${textOf(message)}${others}`];
  };
  const policyPart = (title: string, refuses: boolean): Part => {
    const said = policies.filter(({ isError }) => isError === refuses);
    const rows = said.map((each) => [textOf(each)]);
    return { title, rows, count: said.reduce((sum, { names }) => sum + Math.max(1, names.length), 0) };
  };
  const count = messages.reduce((sum, { names }) => sum + Math.max(1, names.length), 0);
  return [
    policyPart("Refused by policies", true),
    ...changeParts,
    policyPart("Advised by policies", false),
    { title: "Messages", rows: messages.map(messageRow), count },
  ];
}

export function formatText(report: Report): string {
  const used = partsOf(report, String, "\n    ").filter(({ rows }) => rows.length > 0);
  const lines = used.flatMap(({ title, intro, rows }) => [
    `${title}:`,
    ...[...(intro === undefined ? [] : [intro.replaceAll("`", "")]), ...rows.flat()].map(
      (line) => `  ${line}`,
    ),
  ]);
  return [`${HEADING}: ${summaryOf(report)}.`, ...lines, ""].join("\n");
}

/** For a comment on a pull request. Its first line is a mark by which a job finds the comment and updates it. */
export function formatMarkdown(report: Report): string {
  const intro = ["<!-- pulumi-tracking -->", `### ${HEADING}: ${summaryOf(report)}`];
  const { advice } = report.unexpected ?? report.failure ?? {};
  // A rename has its advice beside it, also if nothing refuses it.
  const isSaidBelow = report.changes.some(({ kind }) => intros[kind] !== undefined);
  if (advice !== undefined && !isSaidBelow) intro.push(`${capitalized(advice).replaceAll('"', "`")}.`);
  return markdown(intro, partsOf(report, code, "<br>"));
}
