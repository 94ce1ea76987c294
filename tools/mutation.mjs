import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { relative } from "node:path";
import { parseArgs } from "node:util";
import { breakPromises, takeOutGuards } from "./mutation/break.mjs";
import { DOCUMENT, updateDocument } from "./mutation/document.mjs";
import { triedAtLoading } from "./mutation/loading.mjs";
import { parts } from "./mutation/parts.mjs";
import { readDocument } from "./mutation/read-document.mjs";
import { rerunSurvivors } from "./mutation/rerun.mjs";
import { percentage, scores } from "./mutation/score.mjs";
import { mutants } from "./mutation/stryker.mjs";
import { ensurePackages } from "./packages.mjs";
import { progress } from "./progress.mjs";
import { ROOT } from "./root.mjs";
import { runIfMain } from "./run-if-main.mjs";

const usage = `npm run mutation -- [PART …] [--mutate FILE] [--promises [--only TEXT] [--engine]] [--guards [--seed N]] [--again] [--concurrency N]

Changes the provider's code in small ways, one at a time, and shows which changes the tests do not detect. Writes
docs/mutation.md. All parts take hours, one part 5 to 40 minutes on two cores.

  PART             one of ${Object.keys(parts).join(", ")}; all of them by default
  --mutate FILE    only this file, such as provider/api/retry.ts
  --promises       break each promise of the project instead, and run the test that guards it
  --only TEXT      only promises that have this text in their row of docs/mutation.md, or in its title
  --engine         also those whose test needs the real engine, which takes a minute or more for each
  --guards         remove each ownership check instead, and run generated stories of two providers against the rest
  --seed N         where those stories begin; 1 by default
  --again          try only the changes that survived the last run of the part, or the promises not seen broken yet
  --concurrency N  test processes side by side; 2 by default`;

/**
 * Changes the provider's code in small ways and shows what the tests do not detect: in the named parts, or all,
 * or in one file; or breaks each promise in turn. With `--again`, only what survived the last run of the part.
 * Ends with an error below a part's goal, and writes `docs/mutation.md` from the results of whole parts.
 */
async function mutation() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      mutate: { type: "string" },
      again: { type: "boolean", default: false },
      promises: { type: "boolean", default: false },
      only: { type: "string" },
      engine: { type: "boolean", default: false },
      guards: { type: "boolean", default: false },
      seed: { type: "string", default: "1" },
      concurrency: { type: "string", default: "2" },
    },
  });
  await ensurePackages();
  const named = values.mutate === undefined ? positionals : [await partOf(values.mutate)];
  if (
    ![values.concurrency, values.seed].every((text) => /^[1-9]\d*$/.test(text)) ||
    named.some((name) => parts[name ?? ""] === undefined)
  ) {
    console.error(usage);
    process.exitCode = 2;
    return;
  }
  if (values.promises) {
    const known = values.again ? readDocument(await readFile(DOCUMENT, "utf8")).seen : {};
    await breakPromises({ ...values, known }, (breach) => updateDocument({ noticed: [breach] }));
  }
  if (values.guards) await takeOutGuards(values.seed);
  const isWhole = !values.promises && !values.guards;
  const chosen = named.length > 0 || !isWhole ? named : Object.keys(parts);
  const started = performance.now();
  for (const [at, name] of chosen.entries()) {
    console.log(`\n[${progress(at, chosen.length, performance.now() - started)}] ${name} …`);
    await judge(name ?? "", values);
  }
}

/**
 * @param {string} name of a part
 * @param {{ mutate?: string | undefined, again: boolean, concurrency: string }} options `mutate`: one file of it
 */
async function judge(name, { mutate: only, again, concurrency }) {
  const part = parts[name];
  if (part === undefined) return;
  const mutate = only === undefined ? part.mutate : [below(only)];
  const tests = part.tests.map((test) => `test/provider/${test}.test.ts`);
  const all = again
    ? await rerunSurvivors(name, tests)
    : await triedAtLoading(
        await mutants({ name: only === undefined ? name : "one-file", mutate, tests }, Number(concurrency)),
        tests,
      );
  const files = scores(all.map((mutant) => ({ ...mutant, fileName: relative(ROOT, mutant.fileName) })));
  for (const { fileName, location, status, mutatorName, replacement } of all)
    if (["Survived", "NoCoverage"].includes(status))
      console.log(
        `${relative(ROOT, fileName)}:${location.start.line}:${location.start.column} ${status} ${mutatorName}: ${replacement?.replace(/\s+/g, " ").slice(0, 100)}`,
      );
  for (const [file, score] of Object.entries(files)) console.log(`${file}: ${percentage([score])} %`, score);
  const reached = percentage(Object.values(files));
  console.log(`${name}: ${reached} % of ${all.length} changes are detected; the goal is ${part.goal} %`);
  if (reached < part.goal) process.exitCode = 1;
  if (only !== undefined) return;
  const stryker = createRequire(import.meta.url).resolve("@stryker-mutator/core/package.json");
  const { version } = JSON.parse(await readFile(stryker, "utf8"));
  const date = new Date().toISOString().slice(0, 10);
  await updateDocument({
    outcomes: { [name]: { date, stryker: version, node: process.versions.node, files } },
  });
}

/** @param {string} file */
function below(file) {
  return file.replace(/^provider\//, "").replace(/\.ts$/, "");
}

/** @param {string} file */
async function partOf(file) {
  const { default: picomatch } = await import("picomatch");
  return Object.keys(parts).find((name) => picomatch.isMatch(below(file), [...(parts[name]?.mutate ?? [])]));
}

await runIfMain(import.meta.url, mutation, usage);
