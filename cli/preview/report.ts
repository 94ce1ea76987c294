import { code, markdown } from "../markdown";
import { type Change, type Changes, type Part, parts } from "./changes";

/** How many there are of each, such as `2 created, 1 deleted`. */
function counts({ changes, others }: Changes): string {
  const mine = Object.entries(parts)
    .map(([part, title]) => [title, changes.filter((each) => each.part === part).length] as const)
    .filter(([title, count]) => count > 0 && title !== parts.others)
    .map(([title, count]) => `${count} ${title.charAt(0).toLowerCase()}${title.slice(1)}`);
  const foreign = [...others].map(([op, count]) => `${count} ${op.replace(/e?$/, "ed")}`);
  const rest = foreign.length > 0 ? [`of other packages ${foreign.join(", ")}`] : [];
  return [...mine, ...rest].join("; ") || "no changes";
}

const HEADING = "Websites and pixels";

function grouped({ changes }: Changes): [title: string, changes: Change[]][] {
  return Object.entries(parts).map(([part, title]) => [
    title,
    changes.filter((each) => each.part === (part as Part)),
  ]);
}

export function formatText(made: Changes): string {
  const lines = grouped(made).flatMap(([title, changes]) => [
    ...(changes.length > 0 ? [`${title}:`] : []),
    ...changes.map(({ type, key, fields, remark }) => {
      const words = [...fields, ...(remark ? [remark] : [])].join("; ");
      return `  ${type} ${key}${words === "" ? "" : `: ${words}`}`;
    }),
  ]);
  const errors = made.errors.map((error) => `The preview failed: ${error}`);
  return [`${HEADING}: ${counts(made)}.`, ...errors, ...lines, ""].join("\n");
}

/** For a comment on a pull request; a job finds and updates it by its first line. */
export function formatMarkdown(made: Changes): string {
  return markdown(
    ["<!-- pulumi-tracking -->", `### ${HEADING}: ${counts(made)}`],
    [
      { title: "The preview failed", rows: made.errors.map((error) => [code(error)]) },
      ...grouped(made).map(([title, changes]) => ({
        title,
        isFolded: title === parts.created && changes.length > 10,
        rows: changes.map(({ type, key, fields, remark }) => [
          `${type} ${code(key)}${fields.length + (remark ? 1 : 0) > 0 ? ":" : ""}`,
          [...fields.map(code), ...(remark ? [remark] : [])].join("; "),
        ]),
      })),
    ],
  );
}
