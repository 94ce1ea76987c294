import { randomInt } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { commitOf } from "./commit.mjs";
import { ensureEngine } from "./engine/setup.mjs";
import { ensurePackages } from "./packages.mjs";
import { progress } from "./progress.mjs";
import { RELIABILITY, reliabilityOf } from "./reliability.mjs";
import { ROOT } from "./root.mjs";
import { runIfMain } from "./run-if-main.mjs";
import { keepNotes, readNotes } from "./soak-notes.mjs";
import { projectOf, vitest } from "./vitest.mjs";

/** Each part: its tests, and the variable of the environment that says how many cases, with the full size. */
const parts = {
  faults: { tests: "test/faults" },
  realFaults: {
    tests: ["faults-process-death", "faults", "writers", "rate-limit"].map(
      (name) => `test/engine/${name}.test.ts`,
    ),
  },
  bodies: { tests: "test/provider/api/bodies.test.ts", size: ["BODIES", 100_000] },
  model: { tests: "test/model/sequences.test.ts", size: ["MODEL", 2_000] },
  adoption: { tests: "test/model/adoption.test.ts", size: ["ADOPTION", 10_000] },
  configurations: { tests: "test/model/configurations.test.ts", size: ["CONFIGURATIONS", 1_000] },
  faultRuns: { tests: "test/model/faults.test.ts", size: ["FAULT_RUNS", 1_000] },
  ledger: { tests: "test/model/ledger.test.ts", size: ["LEDGER", 10_000] },
  oddServices: { tests: "test/model/odd-services.test.ts", size: ["ODD_SERVICES", 1_000] },
  engineModel: { tests: "test/engine/model.test.ts", size: ["ENGINE_MODEL", 100] },
  engineConfigurations: {
    tests: "test/engine/configurations.test.ts",
    size: ["ENGINE_CONFIGURATIONS", 50],
  },
  upgrade: { tests: "test/install/upgrade-release.test.ts", env: { EARLIER_RELEASE: "true" } },
  interrupt: { tests: "test/engine/interrupt.test.ts" },
  imports: { tests: "test/engine/import-dialects.test.ts", size: ["IMPORTS", 300] },
  interruptedImports: {
    tests: "test/engine/import-interrupts.test.ts",
    size: ["INTERRUPTED_IMPORTS", 20],
  },
  migration: { tests: "test/engine/migration.test.ts", size: ["MIGRATION", 300] },
  largeImport: { tests: "test/engine/import-large.test.ts", size: ["LARGE_IMPORT", 5_000] },
};
/** @typedef {keyof typeof parts} Part */
const every = /** @type {Part[]} */ (Object.keys(parts));
/** Those that drive the real engine. */
const onEngine = every.filter((name) => testsOf(name).project !== "unit");

const usage = `npm run soak -- [PART …] [--seed N] [--size N] [--notes FOLDER]

Runs the generated tests at full size, and every fault. If all pass, it writes docs/reliability.md, where each part names
the commit that it ran with. Takes hours on two cores, most of them for the parts that drive the real engine.

  PART            one of ${every.join(", ")}; all of them by default
  --seed N        the seed of the generated cases; by default a new one, which is printed
  --size N        how many cases of each part, instead of the full size
  --notes FOLDER  keep what the parts came to there, so that docs/reliability.md is written of several runs`;

/**
 * Runs the generated tests at full size, from a seed that it prints, and all faults. If all passed and the faults are
 * among what was run, now or in an earlier run with the same folder for notes, it writes `docs/reliability.md`.
 */
async function soak() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seed: { type: "string" }, size: { type: "string" }, notes: { type: "string" } },
  });
  const { seed = String(randomInt(2 ** 31)), size } = values;
  const unknown = positionals.filter((name) => !every.includes(/** @type {Part} */ (name)));
  if (unknown.length > 0 || ![seed, size ?? "1"].every((text) => /^\d+$/.test(text))) {
    console.error(usage);
    process.exitCode = 2;
    return;
  }
  await ensurePackages();
  const chosen = positionals.length === 0 ? every : /** @type {Part[]} */ (positionals);
  if (chosen.some((name) => onEngine.includes(name))) await ensureEngine();
  const notes = values.notes ?? (await mkdtemp(join(tmpdir(), "pulumi-tracking-soak-")));
  await mkdir(notes, { recursive: true });
  try {
    const failed = [];
    const started = performance.now();
    for (const [at, name] of chosen.entries()) {
      const place = progress(at, chosen.length, performance.now() - started);
      if (!(await passes(name, { seed, size, notes, place }))) failed.push(name);
    }
    if (failed.length > 0) {
      console.error(`Failed. To repeat it: npm run soak -- ${failed.join(" ")} --seed ${seed}`);
      process.exitCode = 1;
      return;
    }
    const all = await readNotes(notes);
    if (size === undefined && all.some(({ name }) => name.startsWith("fault-"))) {
      const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
      await writeFile(RELIABILITY, reliabilityOf(all, { version, onEngine }));
      console.log("All passed; docs/reliability.md is written.");
    } else console.log("All selected parts passed.");
  } finally {
    if (values.notes === undefined) await rm(notes, { recursive: true, force: true });
  }
}

/**
 * A part's files or folders, and the project that they are in.
 *
 * @param {Part} name
 */
function testsOf(name) {
  const tests = [parts[name].tests].flat();
  return { tests, project: projectOf(tests[0] ?? "") };
}

/**
 * @param {Part} name
 * @param {{ seed: string, size: string | undefined, notes: string, place: string }} run `place`: how far the run is
 */
async function passes(name, { seed, size, notes, place }) {
  const part = parts[name];
  const [variable, full] = "size" in part ? part.size : [];
  const cases = full === undefined ? undefined : (size ?? String(full));
  console.log(`\n[${place}] ${name}: ${cases === undefined ? "all" : `${cases} cases from seed ${seed}`} …`);
  const { tests, project } = testsOf(name);
  const code = await vitest(["run", "--project", project, "--reporter=dot", ...tests], {
    ...process.env,
    NOTES: notes,
    BODIES_SEED: seed,
    MODEL_SEED: seed,
    ...("env" in part ? part.env : {}),
    ...(variable === undefined ? {} : { [variable]: cases }),
  });
  // The decoders' test writes no note itself.
  if (name === "bodies")
    await writeFile(join(notes, "figure-bodies.json"), JSON.stringify({ name, cases, seed }));
  const date = new Date().toISOString().slice(0, 10);
  // Tests write their notes when they start.
  await keepNotes(
    notes,
    code === 0 ? { date, commit: await commitOf(), node: process.versions.node } : undefined,
  );
  return code === 0;
}

await runIfMain(import.meta.url, soak, usage);
