import { groupsBy } from "../alike";
import { code, markdown } from "../markdown";
import { type Change, type Changes, type Part, parts } from "./changes";
import type { Message } from "./messages";

/** How many there are of each, such as `2 created, 1 deleted`. */
function counts({ changes, others }: Changes, messages: readonly Message[]): string {
  const mine = Object.entries(parts)
    .map(([part, title]) => [title, changes.filter((each) => each.part === part).length] as const)
    .filter(([title, count]) => count > 0 && title !== parts.others)
    .map(([title, count]) => `${count} ${title.charAt(0).toLowerCase()}${title.slice(1)}`);
  const alike = groupsBy(others, (op) => op);
  const foreign = alike.map(({ length, 0: op }) => `${length} ${op.replace(/e?$/, "ed")}`);
  const rest = foreign.length > 0 ? [`of other packages ${foreign.join(", ")}`] : [];
  // What it had not come to is unknown.
  const failure = messages.some(({ isError }) => isError) ? ["the preview failed"] : [];
  return [...failure, ...mine, ...rest].join("; ") || "no changes";
}

const HEADING = "Websites and pixels";
/** As many resources with the same change are named in one line. */
const MAX_NAMED = 100;

/** The parts of a preview; of a part, the changes that differ only in whose they are make one line. */
function grouped({ changes }: Changes): [title: string, lines: Change[][]][] {
  return Object.entries(parts).map(([part, title]) => {
    const own = changes.filter((each) => each.part === (part as Part));
    const alike = groupsBy(own, ({ type, key, fields, remark }) =>
      JSON.stringify([type, fields, remark, fields.length === 0 && key]),
    );
    return [title, alike.flatMap(chunks)];
  });
}

function chunks(group: readonly Change[]): Change[][] {
  const starts = group.flatMap((_, at) => (at % MAX_NAMED === 0 ? [at] : []));
  return starts.map((start) => group.slice(start, start + MAX_NAMED));
}

/** One line on resources with the same change; `shown` quotes what comes from the service. */
function lineOf(alike: readonly Change[], shown: (text: string) => string): string {
  const [{ type, fields, remark = "" }, second] = alike as [Change, Change?];
  const names = alike.map(({ key }) => shown(key)).join(", ");
  const words = [...fields.map(shown), remark].filter(Boolean).join("; ");
  if (second !== undefined) return `${alike.length} ${type}s: ${words}: ${names}`;
  return words === "" ? `${type} ${names}` : `${type} ${names}: ${words}`;
}

export function formatText(made: Changes, messages: readonly Message[]): string {
  const said = messages.map(({ lines }) => `  ${lines.join("\n    ")}`);
  const lines = [
    ...grouped(made).map(
      ([title, part]) => [title, part.map((alike) => `  ${lineOf(alike, String)}`)] as const,
    ),
    ["Messages", said] as const,
  ].flatMap(([title, part]) => (part.length > 0 ? [`${title}:`, ...part] : []));
  return [`${HEADING}: ${counts(made, messages)}.`, ...lines, ""].join("\n");
}

/** For a comment on a pull request; a job finds and updates it by its first line. */
export function formatMarkdown(made: Changes, messages: readonly Message[]): string {
  return markdown(
    ["<!-- pulumi-tracking -->", `### ${HEADING}: ${counts(made, messages)}`],
    [
      ...grouped(made).map(([title, part]) => {
        const count = part.flat().length;
        const isFolded = title === parts.created && count > 10 && part.every(([each]) => !each?.remark);
        return { title, isFolded, rows: part.map((alike) => [lineOf(alike, code)]), count };
      }),
      {
        title: "Messages",
        rows: messages.flatMap(({ lines }) => lines.map((line) => [code(line)])),
        count: messages.length,
        isKept: true,
      },
    ],
  );
}
