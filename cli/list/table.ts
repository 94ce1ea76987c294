import { firstOf } from "../alike";
import type { Listing, ListRow } from "./listing";
import { cellsOf, columns, needAttention, summary, title } from "./words";

/** Between two columns. */
const GAP = 2;

/**
 * The listing as text: what needs attention, then a table of everything.
 *
 * @param width the columns of the terminal; without one, nothing is cut
 */
export async function formatTable(listing: Listing, width = Number.POSITIVE_INFINITY): Promise<string> {
  const { default: measure } = await import("fast-string-truncated-width");
  const rows = [[...columns], ...listing.records.map((each) => cellsOf(each, listing))];
  const widths = columns.map((_, at) =>
    rows.reduce((most, row) => Math.max(most, measure(row[at] ?? "").width), 0),
  );
  const total = () => widths.reduce((sum, each) => sum + each + GAP, 0);
  // The second column says which record it is, and keeps twice as much as any other.
  const weights = () => widths.map((each, at) => (at === 1 ? each / 2 : each));
  while (total() > width && Math.max(...weights()) > 1) {
    const widest = weights().indexOf(Math.max(...weights()));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  // Not by the library, which counts wrongly what it cuts of other scripts than ours.
  const cut = (text: string, limit: number) => {
    const kept = [...text].slice(0, limit);
    while (measure(`${kept.join("")}…`).width > limit) kept.pop();
    return `${kept.join("")}…`;
  };
  const fitted = (text: string, at: number) => {
    const limit = widths[at] ?? 0;
    const shown = measure(text).width > limit ? cut(text, limit) : text;
    return shown + " ".repeat(limit - measure(shown).width + GAP);
  };
  const lines = rows.map((row) => row.map(fitted).join("").trimEnd());
  return [...head(listing), "", ...lines, ""].join("\n");
}

function head(listing: Listing): string[] {
  const urgent = needAttention(listing);
  const line = (row: ListRow) => {
    const [type, key, , managers, , , state] = cellsOf(row, listing);
    return `  ${type} ${key} of ${managers}: ${state}`;
  };
  return [
    `${title(listing)}. ${summary(listing)}.`,
    ...listing.notes.map((note) => `Note: ${note}.`),
    ...firstOf(urgent.map(line), (others) => `  … and ${others} more`),
    ...(urgent.length > 0
      ? [
          '"npx pulumi-tracking doctor" says what to do; for drift, see "pulumi preview --refresh --run-program --diff".',
        ]
      : []),
  ];
}
