import { createHash } from "node:crypto";
import type { Listing, ListRow } from "./listing";
import { SCRIPT, STYLE } from "./page-parts";
import { cellsOf, charts, columns, summary, title } from "./words";

/** A text with more characters may wrap. */
const LONG = 32;

/** A text of the service for an element or a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function tableRow(row: ListRow, listing: Listing): string {
  const cells = cellsOf(row, listing).map(
    (text, at) =>
      `<td data-name="${columns[at]}"${text.length > LONG ? ' class="long"' : ""}>${escapeHtml(text)}</td>`,
  );
  const [worst = "fine"] = row.problems;
  return `<tr class="${worst}">${cells.join("")}</tr>`;
}

/** A chart with a bar for each label, as long as its share of all. */
function chart({ title: what, bars }: ReturnType<typeof charts>[number]): string {
  const total = bars.reduce((sum, [, count]) => sum + count, 0);
  const rows = bars.map(
    ([label, count]) =>
      `<tr><th scope="row">${escapeHtml(label)}</th><td><svg aria-hidden="true"><rect width="${((100 * count) / total).toFixed(1)}%" height="100%" rx="3"/></svg></td><td>${count}</td></tr>`,
  );
  return `<table class="chart"><caption>${escapeHtml(what)}</caption>${rows.join("")}</table>`;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** The listing as one file for a browser. It loads nothing else, so it works offline and as an artifact of CI. */
export function formatPage(listing: Listing, readAt: Date): string {
  const { records, notes, version } = listing;
  const heading = escapeHtml(title(listing));
  const day = readAt.toISOString();
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${hashOf(STYLE)}'; script-src '${hashOf(SCRIPT)}'">
<title>${heading}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${heading}</h1>
<p>${escapeHtml(summary(listing))}. Read <time datetime="${day}">${day.slice(0, 16).replace("T", " ")} UTC</time>.</p>
${notes.map((note) => `<p class="note">${escapeHtml(note)}.</p>\n`).join("")}<section class="charts">
${charts(listing).map(chart).join("\n")}
</section>
<p><input type="search" placeholder="Search" aria-label="Search"> <output>${records.length} of ${records.length}</output></p>
<table>
<thead><tr>${columns.map((name) => `<th scope="col"><button>${name}</button></th>`).join("")}</tr></thead>
<tbody>
${records.map((row) => tableRow(row, listing)).join("\n")}
</tbody>
</table>
<footer>pulumi-tracking ${escapeHtml(version)}</footer>
<script>${SCRIPT}</script>
</body>
</html>
`;
}
