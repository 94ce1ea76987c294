/** How the page looks, light or dark as the reader's system is; on a phone each record is a card. */
export const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --bar: #4a7fd4; --bad: #c62828; --warn: #9a6700; }
@media (prefers-color-scheme: dark) { :root { --bar: #6c9bea; --bad: #ff8a80; --warn: #e3b341; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-width: 75rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0; }
.note { border-left: .25rem solid var(--warn); padding-left: .75rem; }
.charts { display: flex; flex-wrap: wrap; gap: 1.5rem; margin: 1.5rem 0; }
.chart { flex: 1 18rem; border-spacing: 0; align-self: start; }
.chart caption { text-align: left; font-weight: 600; }
.chart th { font-weight: normal; text-align: left; white-space: nowrap; padding-right: .75rem; width: 1%; }
.chart td:last-child { text-align: right; padding-left: .75rem; width: 1%; font-variant-numeric: tabular-nums; }
.chart svg { display: block; width: 100%; height: .8rem; background: var(--soft); border-radius: 3px; }
.chart rect { fill: var(--bar); }
input { font: inherit; padding: .35rem .6rem; width: min(24rem, 60%); }
body > table { border-collapse: collapse; width: 100%; }
body > table th, body > table td { text-align: left; vertical-align: top; padding: .3rem 1rem .3rem 0; white-space: nowrap; }
body > table :is(td.long, td:last-child) { white-space: normal; overflow-wrap: anywhere; }
body > table td.long { min-width: 12rem; }
body > table :is(th, td):last-child { width: 100%; padding-right: 0; }
body > table tr { border-bottom: 1px solid var(--line); }
thead th { position: sticky; top: 0; background: Canvas; white-space: nowrap; }
thead button { font: inherit; font-weight: 600; background: none; border: 0; padding: 0; color: inherit; cursor: pointer; }
[aria-sort] button::after { content: " \\25B2"; }
[aria-sort=descending] button::after { content: " \\25BC"; }
:is(.wrong-account, .record-missing, .wrong-id, .another-record, .record-unreadable, .state-unreadable, .managed-twice, .pending-delete) [data-name=State] { color: var(--bad); }
:is(.drift, .duplicate-record) [data-name=State] { color: var(--warn); }
tbody tr[hidden] { display: none; }
footer { margin: 1.5rem 0; opacity: .7; }
@media (max-width: 56rem) {
  thead th { position: static; }
  body > table, body > table > :is(thead, tbody), body > table td { display: block; }
  body > table > thead > tr { display: flex; flex-wrap: wrap; }
  body > table :is(th, td):is(:nth-child(n), .long) { width: auto; min-width: 0; white-space: normal; overflow-wrap: anywhere; }
  body > table > tbody > tr { display: block; padding: .5rem 0; }
  body > table td { padding: 0 0 0 9rem; min-height: 1.5em; position: relative; }
  body > table td::before { content: attr(data-name); position: absolute; left: 0; opacity: .7; }
}
`;

/** Search and sort; without it, the page shows everything in its first order. */
export const SCRIPT = `
"use strict";
const [table] = document.querySelectorAll("body > table");
const [body] = table.tBodies;
const rows = [...body.rows].map((row) => ({
  row,
  text: row.textContent.toLowerCase(),
  cells: [...row.cells].map((cell) => cell.textContent),
}));
const search = document.querySelector("input");
search.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\\s+/);
  let shown = 0;
  for (const { row, text } of rows) {
    row.hidden = !words.every((word) => text.includes(word));
    if (!row.hidden) shown += 1;
  }
  document.querySelector("output").textContent = shown + " of " + rows.length;
});
const { compare } = new Intl.Collator("en", { numeric: true });
for (const heading of table.tHead.rows[0].cells)
  heading.firstChild.addEventListener("click", () => {
    const sign = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", sign === 1 ? "ascending" : "descending");
    const at = heading.cellIndex;
    rows.sort((one, other) => sign * compare(one.cells[at], other.cells[at]));
    const sorted = document.createDocumentFragment();
    for (const { row } of rows) sorted.append(row);
    body.append(sorted);
  });
`;
