import { code, codeCell, markdown } from "../markdown";
import type { Listing, ListRow } from "./listing";
import { cellsOf, charts, columns, needAttention, summary, title } from "./words";

/** The listing for a comment or a job's summary. */
export function formatMarkdown(listing: Listing): string {
  const { notes, records } = listing;
  const row = (record: ListRow) => cellsOf(record, listing).map(codeCell);
  const counts = charts(listing).map(
    ({ title: what, bars }) =>
      `- ${what}: ${bars.map(([label, count]) => `${code(label)} ${count}`).join(", ")}`,
  );
  const notices = notes.map((note) => `> ${code(note)}`);
  return markdown(
    [`### ${title(listing)}`, code(summary(listing)), ...notices, counts.join("\n")],
    [
      { title: "Needs attention", columns, rows: needAttention(listing).map(row) },
      { title: "All", isFolded: true, columns, rows: records.map(row) },
    ],
  );
}
