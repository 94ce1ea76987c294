import { groupsBy } from "../alike";
import { code, markdown, type Part } from "../markdown";
import { type Change, kinds } from "./changes";
import type { Message } from "./messages";

const HEADING = "Websites and pixels";
/** How many resources with the same change one line names. */
const MAX_NAMED = 100;

/** What a preview found that must find nothing, and what to do about it. */
export interface Unexpected {
  /** What differs from the program. */
  readonly side: "service" | "state";
  /** One sentence, with commands in double quotes. */
  readonly advice: string;
}

/** Says how many changes of each kind there are, such as `2 created; 1 deleted`. */
function summaryOf(
  changes: readonly Change[],
  messages: readonly Message[],
  unexpected?: Unexpected,
): string {
  const ofKinds = Object.entries(kinds)
    .map(([kind, title]) => [title, changes.filter((change) => change.kind === kind).length] as const)
    .filter(([, count]) => count > 0)
    .map(([title, count]) => `${count} ${title.charAt(0).toLowerCase()}${title.slice(1)}`);
  // A preview that failed had not come to all resources, so "no changes" would be wrong.
  const failure = messages.some(({ isError }) => isError) ? ["the preview failed"] : [];
  const summary = [...failure, ...ofKinds].join("; ") || "no changes";
  if (unexpected === undefined) return summary;
  const { length } = changes;
  return `${length} difference${length === 1 ? "" : "s"} between the ${unexpected.side} and the program: ${summary}`;
}

/** Cuts resources with the same change into those that share a line. */
function chunks(group: readonly Change[]): Change[][] {
  const starts = group.flatMap((_, at) => (at % MAX_NAMED === 0 ? [at] : []));
  return starts.map((start) => group.slice(start, start + MAX_NAMED));
}

/** One line on resources with the same change. */
function lineOf(alike: readonly Change[], quote: (text: string) => string): string {
  const [{ type, fields, remark = "" }, second] = alike as [Change, Change?];
  const names = alike.map(({ key }) => quote(key)).join(", ");
  const words = [...fields.map(quote), remark].filter(Boolean).join("; ");
  if (second !== undefined) return `${alike.length} ${type}s: ${words}: ${names}`;
  return words === "" ? `${type} ${names}` : `${type} ${names}: ${words}`;
}

/**
 * The parts of a report: a kind of change each, and the messages. Resources with the same change share a line.
 *
 * @param quote marks what comes from the service, so that Markdown shows it literally
 * @param lineBreak between two lines of a message
 */
function partsOf(
  changes: readonly Change[],
  messages: readonly Message[],
  quote: (text: string) => string,
  lineBreak: string,
): Part[] {
  const changeParts = Object.entries(kinds).map(([kind, title]) => {
    const ofKind = changes.filter((change) => change.kind === kind);
    const alike = groupsBy(ofKind, ({ type, key, fields, remark }) =>
      JSON.stringify([type, fields, remark, fields.length === 0 && key]),
    );
    const isFolded = kind === "created" && ofKind.length > 10 && !ofKind.some(({ remark }) => remark);
    const rows = alike.flatMap(chunks).map((chunk) => [lineOf(chunk, quote)]);
    return { title, isFolded, rows, count: ofKind.length };
  });
  const rows = messages.map(({ lines }) => [lines.map(quote).join(lineBreak)]);
  return [...changeParts, { title: "Messages", rows, count: messages.length }];
}

export function formatText(
  changes: readonly Change[],
  messages: readonly Message[],
  unexpected?: Unexpected,
): string {
  const used = partsOf(changes, messages, String, "\n    ").filter(({ rows }) => rows.length > 0);
  const lines = used.flatMap(({ title, rows }) => [`${title}:`, ...rows.map(([line]) => `  ${line}`)]);
  return [`${HEADING}: ${summaryOf(changes, messages, unexpected)}.`, ...lines, ""].join("\n");
}

/** For a comment on a pull request. Its first line is a mark by which a job finds the comment and updates it. */
export function formatMarkdown(
  changes: readonly Change[],
  messages: readonly Message[],
  unexpected?: Unexpected,
): string {
  const intro = ["<!-- pulumi-tracking -->", `### ${HEADING}: ${summaryOf(changes, messages, unexpected)}`];
  if (unexpected !== undefined) intro.push(`${unexpected.advice.replaceAll('"', "`")}.`);
  return markdown(intro, partsOf(changes, messages, code, "<br>"));
}
