import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ROOT } from "../root.mjs";
import { parts } from "./parts.mjs";
import { percentage } from "./score.mjs";

/**
 * @typedef {object} Outcome what came of one part
 * @property {string} date of the run
 * @property {string} stryker its version
 * @property {string} node its version
 * @property {Record<string, import("./score.mjs").Score>} files by their names below the project's folder
 *
 * @typedef {object} Broken what came of one promise
 * @property {string} promise
 * @property {string} change
 * @property {string} file
 * @property {string} test
 * @property {string} name of the test
 */

const NOTES = join(ROOT, "reports/mutation.json");

/** Where the document is. */
export const DOCUMENT = join(ROOT, "docs/mutation.md");

/**
 * Keeps what came of a run beside what is known of earlier ones, and writes `docs/mutation.md` of all of it.
 *
 * @param {{ outcomes?: Record<string, Outcome>, broken?: readonly Broken[] }} news
 */
export async function tell(news) {
  /** @type {{ outcomes?: Record<string, Outcome>, broken?: readonly Broken[] }} */
  const known = JSON.parse(await readFile(NOTES, "utf8").catch(() => "{}"));
  const all = { ...known.outcomes, ...news.outcomes };
  // A part that is no more has nothing to say.
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
  return `# What the tests notice

Written by \`npm run mutation\`, with ${[...tools].join(" and ") || "no run yet"}. Stryker changes the provider's code
in every small way that it knows (a condition turned round, a call left out, a text emptied), one change at a time,
and runs the tests that mirror the changed folder. A change that no test notices is either a test that is missing or
code that makes no difference. Of all changes to \`provider/\`, the tests notice **${percentage(whole)} %**.

| part | file | changes | noticed | survived | not reached | % | goal | on |
|---|---|---|---|---|---|---|---|---|
${Object.entries(parts)
  .flatMap(([part, { goal }]) => rows(part, goal, outcomes[part]))
  .join("\n")}

\`npm run mutation -- retry\` does one part again, and shows each change that survived.

## The promises

Each promise is broken on purpose, as below, by \`npm run mutation -- --promises\`; the test that is named then fails.

| promise | where it is broken | how | the test that fails |
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
  if (outcome === undefined) return [`| ${part} | none run yet | | | | | | ${goal} | |`];
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
