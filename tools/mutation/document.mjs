import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../root.mjs";
import { parts } from "./parts.mjs";
import { cellsOf, promisesSection } from "./promises-section.mjs";
import { readDocument } from "./read-document.mjs";
import { percentage } from "./score.mjs";

/**
 * @typedef {object} Outcome the result of one part
 * @property {string} date of the run
 * @property {string} stryker its version
 * @property {string} node its version
 * @property {Record<string, import("./score.mjs").Score>} files by their names below the project's folder
 *
 * @typedef {Readonly<Record<string, string>>} Seen the date on which a broken promise was noticed, by its row
 */

/** The document's path. */
export const DOCUMENT = join(ROOT, "docs/mutation.md");

/**
 * Adds a run to what `docs/mutation.md` says of earlier ones.
 *
 * @param {{ outcomes?: Record<string, Outcome>, noticed?: readonly import("./promises.mjs").Breach[] }} news
 */
export async function updateDocument({ outcomes = {}, noticed = [] }) {
  const known = readDocument(await readFile(DOCUMENT, "utf8"));
  const today = new Date().toISOString().slice(0, 10);
  const seen = Object.fromEntries(noticed.map((breach) => [cellsOf(breach).join(" | "), today]));
  const all = Object.entries({ ...known.outcomes, ...outcomes });
  // A part may have been removed since.
  const present = Object.fromEntries(all.filter(([part]) => parts[part] !== undefined));
  await writeFile(DOCUMENT, documentOf(present, { ...known.seen, ...seen }));
}

/**
 * @param {Record<string, Outcome>} outcomes by part
 * @param {Seen} seen
 */
export function documentOf(outcomes, seen) {
  const whole = Object.values(outcomes).flatMap(({ files }) => Object.values(files));
  const isWhole = Object.keys(parts).every((part) => outcomes[part] !== undefined);
  const extent = isWhole ? "`provider/`" : "the parts of `provider/` that have been run, as below";
  return `# Mutation testing

\`npm run mutation\` writes this page. Stryker makes every small change to the provider's code that it knows (it negates a
condition, drops a call, empties a string), one at a time, and runs the tests that mirror the changed folder. If no test
fails, a test is missing or the code makes no difference. The tests detect **${percentage(whole)} %** of all changes to
${extent}.

| part | file | changes | detected | survived | not covered | % | goal | run on |
|---|---|---|---|---|---|---|---|---|
${Object.entries(parts)
  .flatMap(([part, { goal }]) => rows(part, goal, outcomes[part]))
  .join("\n")}

\`npm run mutation -- retry\` runs one part again and shows each change that survived.

## The promises

\`npm run mutation -- --promises\` breaks each promise on purpose, in each of the ways below; the named test then fails.
Those whose test is in \`test/engine\` or \`test/install\` run with the real engine, in a copy of the project, and only
with \`--engine\`. With \`--only TEXT\`, only the rows run that have this text in them or in their title.

${promisesSection(seen)}
`;
}

/**
 * @param {string} part
 * @param {number} goal
 * @param {Outcome | undefined} outcome
 */
function rows(part, goal, outcome) {
  if (outcome === undefined) return [`| ${part} | not run yet | | | | | | ${goal} | |`];
  const ran = `${outcome.date}, Stryker ${outcome.stryker}, Node.js ${outcome.node}`;
  const files = Object.entries(outcome.files);
  if (files.length < 2) return files.map(([file, score]) => row(part, file, [score], goal, ran));
  const all = files.map(([, score]) => score);
  return [
    ...files.map(([file, score]) => row(part, file, [score], "", ran)),
    row(part, "all", all, goal, ran),
  ];
}

/**
 * @param {string} part
 * @param {string} file
 * @param {readonly import("./score.mjs").Score[]} scores
 * @param {number | string} goal
 * @param {string} ran when, and with what
 */
function row(part, file, scores, goal, ran) {
  /** @param {keyof import("./score.mjs").Score} kind */
  const sum = (kind) => scores.reduce((total, score) => total + score[kind], 0);
  const [noticed, survived, unreached] = [sum("noticed"), sum("survived"), sum("unreached")];
  const all = noticed + survived + unreached;
  return `| ${part} | ${file.replace("provider/", "")} | ${all} | ${noticed} | ${survived} | ${unreached} | ${percentage(scores)} | ${goal} | ${ran} |`;
}
