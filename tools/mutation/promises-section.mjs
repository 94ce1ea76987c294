import { groups } from "./promises.mjs";

/**
 * A breach as the page shows it: how the promise is broken, where, and the test that fails.
 *
 * @param {import("./promises.mjs").Breach} breach
 */
export function cellsOf({ change, file, test, name }) {
  return [change, `\`${file}\``, `\`${test}\`: ${name}`];
}

/**
 * The promises, each with the ways in which it is broken and the tests that fail then.
 *
 * @param {import("./document.mjs").Seen} seen when which was last seen
 */
export function promisesSection(seen) {
  return groups
    .map(({ title, breaches }) => {
      const rows = breaches.map((breach) => {
        const cells = cellsOf(breach).join(" | ");
        return `| ${cells} | ${seen[cells] ?? "not run yet"} |`;
      });
      return `### ${title}

| where | in | this test fails | seen on |
|---|---|---|---|
${rows.join("\n")}`;
    })
    .join("\n\n");
}
