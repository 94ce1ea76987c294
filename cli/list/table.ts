import { firstOf } from "../alike";
import type { Listing, ListRow } from "./listing";
import { cellsOf, columns, driftText, needAttention, summary, title } from "./words";

/** Between two columns. */
const GAP = 2;

/**
 * The listing as text: what needs attention, then a table of everything.
 *
 * @param width the columns of the terminal; without one, nothing is cut
 */
export async function formatTable(listing: Listing, width = Number.POSITIVE_INFINITY): Promise<string> {
  const [{ default: Table }, { default: widthOf }] = await Promise.all([
    import("cli-table3"),
    import("string-width"),
  ]);
  const rows = [[...columns], ...listing.records.map((each) => cellsOf(each, listing))];
  const widths = columns.map(
    (_, at) => GAP + rows.reduce((most, row) => Math.max(most, widthOf(row[at] ?? "")), 0),
  );
  const total = () => widths.reduce((sum, each) => sum + each, 0);
  while (total() > width && Math.max(...widths) > GAP + 1) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  const none = Object.fromEntries(
    ["top", "bottom", "left", "right"]
      .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
      .concat("mid", "mid-mid", "middle")
      .map((name) => [name, ""]),
  );
  const style = { head: [], border: [], compact: true, "padding-left": 0, "padding-right": GAP };
  // A table's time grows with the square of its rows.
  const lineOf = (row: string[]) => {
    const table = new Table({ chars: none, colWidths: widths, style });
    table.push(row);
    return table.toString().trimEnd();
  };
  return [...head(listing), "", ...rows.map(lineOf), ""].join("\n");
}

function head(listing: Listing): string[] {
  const urgent = needAttention(listing);
  const line = (row: ListRow) => {
    const [type, key, , managers, , state] = cellsOf(row, listing);
    const what = row.drift.map(driftText).join(", ");
    return `  ${type} ${key} of ${managers}: ${what || state}`;
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
