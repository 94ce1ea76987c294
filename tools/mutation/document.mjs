import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ROOT } from "../root.mjs";
import { parts } from "./parts.mjs";
import { percentage } from "./score.mjs";

/**
 * @typedef {object} Outcome the result of one part
 * @property {string} date of the run
 * @property {string} stryker its version
 * @property {string} node its version
 * @property {Record<string, import("./score.mjs").Score>} files by their names below the project's folder
 *
 * @typedef {object} Broken the result of one promise
 * @property {string} promise
 * @property {string} change
 * @property {string} file
 * @property {string} test
 * @property {string} name of the test
 */

const NOTES = join(ROOT, "reports/mutation.json");

/** The document's path. */
export const DOCUMENT = join(ROOT, "docs/mutation.md");

/**
 * Adds a run to the results of earlier ones, and writes `docs/mutation.md` from all of them.
 *
 * @param {{ outcomes?: Record<string, Outcome>, broken?: readonly Broken[] }} news
 */
export async function updateDocument(news) {
  /** @type {{ outcomes?: Record<string, Outcome>, broken?: readonly Broken[] }} */
  const known = JSON.parse(await readFile(NOTES, "utf8").catch(() => "{}"));
  const all = { ...known.outcomes, ...news.outcomes };
  // A part may have been removed since.
  const outcomes = Object.fromEntries(Object.entries(all).filter(([part]) => parts[part] !== undefined));
  const broken = news.broken ?? known.broken ?? [];
  await mkdir(dirname(NOTES), { recursive: true });
  await writeFile(NOTES, JSON.stringify({ outcomes, broken }));
  await writeFile(DOCUMENT, documentOf(outcomes, broken));
}

/**
 * @param {Record<string, Outcome>} outcomes by part
 * @param {readonly Broken[]} broken
 */
export function documentOf(outcomes, broken) {
  const whole = Object.values(outcomes).flatMap(({ files }) => Object.values(files));
  const tools = new Set(
    Object.values(outcomes).map((each) => `Stryker ${each.stryker} on Node.js ${each.node}`),
  );
  const isWhole = Object.keys(parts).every((part) => outcomes[part] !== undefined);
  const extent = isWhole ? "`provider/`" : "the parts of `provider/` that have been run, as below";
  return `# Mutation testing

\`npm run mutation\` writes this page, with ${[...tools].join(" and ") || "no run yet"}. Stryker makes every small change
to the provider's code that it knows (it negates a condition, drops a call, empties a string), one at a time, and runs
the tests that mirror the changed folder. If no test fails, a test is missing or the code makes no difference. The tests
detect **${percentage(whole)} %** of all changes to ${extent}.

| part | file | changes | detected | survived | not covered | % | goal | run on |
|---|---|---|---|---|---|---|---|---|
${Object.entries(parts)
  .flatMap(([part, { goal }]) => rows(part, goal, outcomes[part]))
  .join("\n")}

\`npm run mutation -- retry\` runs one part again and shows each change that survived.

## The promises

\`npm run mutation -- --promises\` breaks each promise on purpose, as below; the named test then fails.

| promise | broken in | by this change | test that fails |
|---|---|---|---|
${broken.map(({ promise, file, change, test, name }) => `| ${promise} | \`${file}\` | ${change} | \`${test}\`: ${name} |`).join("\n")}
`;
}

/**
 * @param {string} part
 * @param {number} goal
 * @param {Outcome | undefined} outcome
 */
function rows(part, goal, outcome) {
  if (outcome === undefined) return [`| ${part} | not run yet | | | | | | ${goal} | |`];
  const files = Object.entries(outcome.files);
  const lines = files.map(([file, score]) => row(part, file, [score], "", outcome.date));
  if (files.length < 2) return files.map(([file, score]) => row(part, file, [score], goal, outcome.date));
  return [
    ...lines,
    row(
      part,
      "all",
      files.map(([, score]) => score),
      goal,
      outcome.date,
    ),
  ];
}

/**
 * @param {string} part
 * @param {string} file
 * @param {readonly import("./score.mjs").Score[]} scores
 * @param {number | string} goal
 * @param {string} date
 */
function row(part, file, scores, goal, date) {
  /** @param {keyof import("./score.mjs").Score} kind */
  const sum = (kind) => scores.reduce((total, score) => total + score[kind], 0);
  const [noticed, survived, unreached] = [sum("noticed"), sum("survived"), sum("unreached")];
  const all = noticed + survived + unreached;
  return `| ${part} | ${file.replace("provider/", "")} | ${all} | ${noticed} | ${survived} | ${unreached} | ${percentage(scores)} | ${goal} | ${date} |`;
}
