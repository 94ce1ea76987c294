/**
 * What `docs/mutation.md` says: so runs of single parts and promises add to it on every clone.
 *
 * @param {string} text of the page
 * @returns {{ outcomes: Record<string, import("./document.mjs").Outcome>, seen: import("./document.mjs").Seen }}
 */
export function readDocument(text) {
  /** @type {Record<string, import("./document.mjs").Outcome>} */
  const outcomes = {};
  /** @type {Record<string, string>} */
  const seen = {};
  for (const line of text.split("\n")) {
    const cells = line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    const [part = "", file = "", all, noticed, survived, unreached] = cells;
    const run = /^(\S+), Stryker (\S+), Node\.js (\S+)$/.exec(cells[8] ?? "");
    if (run !== null && file !== "all" && Number(all) >= 0) {
      const [, date = "", stryker = "", node = ""] = run;
      outcomes[part] ??= { date, stryker, node, files: {} };
      outcomes[part].files[`provider/${file}`] = {
        noticed: Number(noticed),
        survived: Number(survived),
        unreached: Number(unreached),
      };
    }
    const date = /^\d{4}-\d\d-\d\d$/.exec(cells[3] ?? "");
    if (cells.length === 4 && date !== null) seen[cells.slice(0, 3).join(" | ")] = date[0];
  }
  return { outcomes, seen };
}
