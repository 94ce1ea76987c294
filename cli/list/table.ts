import { firstOf } from "../alike";
import type { Problem } from "../look/look";
import type { Listing, ListRow } from "./listing";
import { cellsOf, columns, needAttention, summary, title } from "./words";

/** The spaces between two columns. */
const GAP = 2;
/** The least width of a column that is cut. */
const MIN_WIDTH = 8;

/** Narrows the widest columns until the table fits, so that short ones stay whole. */
function shrink(widths: number[], room: number): void {
  const sum = () => widths.reduce((total, width) => total + width, 0);
  for (let most = Math.max(...widths); sum() > room && most > MIN_WIDTH; most = Math.max(...widths)) {
    const at = widths.indexOf(most);
    const next = Math.max(MIN_WIDTH, ...widths.filter((_, other) => other !== at));
    widths[at] = Math.max(next < most ? next : most - 1, most - (sum() - room));
  }
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}

/** The commands that say more of these problems. */
function adviceOn(problems: readonly Problem[]): string[] {
  const isOther = problems.some((problem) => problem !== "drift" && problem !== "unmanaged");
  return [
    ...(isOther ? ['"npx pulumi-tracking doctor" says what to do.'] : []),
    ...(problems.includes("drift")
      ? ['What drifted is shown by "pulumi preview --refresh --run-program --diff".']
      : []),
  ];
}

/** The lines above the table: what was read, and what needs attention. */
function head(listing: Listing): string[] {
  const urgent = needAttention(listing);
  const line = (row: ListRow) => {
    const [type, key, , managers, , , state] = cellsOf(row, listing);
    return `  ${type} ${key} of ${managers}: ${state}`;
  };
  return [
    `${title(listing)}. ${summary(listing)}.`,
    ...listing.notes.map((note) => `Note: ${note}.`),
    ...firstOf(urgent.map(line), (omitted) => `  … and ${omitted} more`),
    ...adviceOn(urgent.flatMap(({ problems }) => problems)),
  ];
}

/** The first columns, by which a row is known. */
const NAMING = 2;

/** Which columns say the same of every record, though there are several: they are said once. */
function sharedColumns(rows: readonly (readonly string[])[]): Set<number> {
  const [first = [], ...others] = rows;
  const isShared = (at: number) =>
    at >= NAMING && others.length > 0 && others.every((row) => row[at] === first[at]);
  return new Set(first.flatMap((_, at) => (isShared(at) ? [at] : [])));
}

/**
 * The listing as text: what needs attention, then a table of everything.
 *
 * @param room the width of a terminal, which would wrap a longer line
 */
export function formatTable(listing: Listing, room = Number.POSITIVE_INFINITY): string {
  const cells = listing.records.map((record) => cellsOf(record, listing));
  const shared = sharedColumns(cells);
  const common = [...shared].map((at) => `${columns[at]}: ${cells[0]?.[at]}`);
  const rows = [[...columns], ...cells].map((row) => row.filter((_, at) => !shared.has(at)));
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  shrink(widths, room - GAP * (widths.length - 1));
  const padded = (text: string, at: number) => cut(text, widths[at] ?? 0).padEnd((widths[at] ?? 0) + GAP);
  const lines = rows.map((row) => row.map(padded).join("").trimEnd());
  const ofAll = common.length > 0 ? [`Of all: ${common.join("; ")}.`] : [];
  return [...head(listing), ...ofAll, "", ...lines, ""].join("\n");
}
