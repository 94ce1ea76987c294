import { firstOf } from "../alike";
import type { Listing, ListRow } from "./listing";
import { cellsOf, columns, needAttention, summary, title } from "./words";

/** Between two columns. */
const GAP = 2;

/** The listing as text: what needs attention, then a table of everything. */
export function formatTable(listing: Listing): string {
  const rows = [[...columns], ...listing.records.map((each) => cellsOf(each, listing))];
  const widths = columns.map((_, at) => rows.reduce((most, row) => Math.max(most, row[at]?.length ?? 0), 0));
  const padded = (text: string, at: number) => text.padEnd((widths[at] ?? 0) + GAP);
  const lines = rows.map((row) => row.map(padded).join("").trimEnd());
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
