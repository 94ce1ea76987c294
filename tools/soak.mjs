import { randomInt } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { run } from "./child.mjs";
import { ensureEngine } from "./engine/setup.mjs";
import { ensurePackages } from "./packages.mjs";
import { ROOT } from "./root.mjs";
import { runIfMain } from "./run-if-main.mjs";
import { vitest } from "./vitest.mjs";

const PAGE = join(ROOT, "docs", "reliability.md");

/** Each runs by itself, in this order: the first one of the engine measures a time. */
const RUNS = [
  { project: "unit", tests: ["test/faults", "test/model", "test/provider/api/bodies.test.ts"] },
  { project: "engine", tests: ["test/engine/interrupt.test.ts"] },
  {
    project: "engine",
    tests: [...["faults", "writers", "rate-limit", "ledger", "model", "configurations", "migration"]].map(
      (name) => `test/engine/${name}`,
    ),
  },
];

const USAGE = `npm run soak -- [--cases 1] [--seed N]

Runs every fault, and the generated tests from a seed that it prints. If all pass, it writes docs/reliability.md from
vitest's report. All the cases that the promises name take hours on two cores; --cases 0.05 tries a twentieth of them.
To repeat one test:

  CASES=1 SEED=N npx vitest run --project unit test/model/sequences.test.ts`;

/**
 * @typedef {{ fullName: string, meta: import("vitest").TaskMeta }} Tested a test in vitest's report, with its notes
 * @typedef {NonNullable<import("vitest").TaskMeta["fault"]>} Fault
 */

async function soak() {
  const { cases, seed } = parseArgs({
    options: {
      cases: { type: "string", default: "1" },
      seed: { type: "string", default: `${randomInt(2 ** 31)}` },
    },
  }).values;
  await ensurePackages();
  const { version } = await ensureEngine();
  console.log(`Seed ${seed}`);
  const folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-soak-"));
  const report = join(folder, "report.json");
  /** @type {Tested[]} */
  const tests = [];
  try {
    for (const { project, tests: files } of RUNS) {
      const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${report}`];
      const env = { ...process.env, CASES: cases, SEED: seed };
      const code = await vitest(["run", "--project", project, ...reporters, ...files], env);
      if (code !== 0)
        throw new Error(`Failed. To repeat it: npm run soak -- --cases ${cases} --seed ${seed}`);
      /** @type {{ testResults: { assertionResults: Tested[] }[] }} */
      const { testResults } = JSON.parse(await readFile(report, "utf8"));
      tests.push(...testResults.flatMap(({ assertionResults }) => assertionResults));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const commit = (await run("git", ["describe", "--always", "--dirty"], { cwd: ROOT })).stdout.trim();
  const date = new Date().toISOString().slice(0, 10);
  const machine = `commit ${commit}, ${date}, Node.js ${process.versions.node}, Pulumi ${version}`;
  await writeFile(PAGE, page(tests, { cases, seed, machine }));
  console.log(`All ${tests.length} tests passed; docs/reliability.md is written.`);
}

/**
 * The text of docs/reliability.md.
 *
 * @param {readonly Tested[]} tests all passed
 * @param {{ cases: string, seed: string, machine: string }} run `machine`: what was tested, and with what
 */
function page(tests, { cases, seed, machine }) {
  const faults = tests.flatMap(({ meta }) => meta.fault ?? []).sort(byId);
  const imitated = faults.filter(({ isReal }) => !isReal);
  const real = faults.filter(({ isReal }) => isReal);
  const figures = tests.flatMap(({ fullName, meta }) => (meta.figure ? [{ ...meta.figure, fullName }] : []));
  return `# Faults and their outcomes

\`npm run soak -- --cases ${cases} --seed ${seed}\` wrote this page from the report of the tests: ${machine}.
It tried ${Number(cases) * 100} % of the generated cases of a full run, and no fewer than \`npm test\`.

\`npm test\` also tries every fault below. Each ends the same way: the next \`up\` converges, after what the message asks
for; a preview then finds no change, and destroy leaves nothing on the service.

## In an imitation of the engine

The provider runs in the test's process, the service in a server on loopback. Records and ids are counted right after
the fault.

${faultTable(imitated)}

Only D13 can't be seen when it happens: the service answers an update with the values that it was sent, as every service
does, but stores nothing. The next refresh shows it, and the next \`up\` sends the values again.

## Through the real engine

The packed package is installed in a project. If a process dies (B), records and ids are counted after the next run.

${faultTable(real)}

## Generated cases, and measured times

| test | figures |
|---|---|
${figures.map(({ fullName, ...rest }) => `| ${cell(fullName)} | ${pairs(rest)} |`).join("\n")}
`;
}

/** @param {Record<string, string | number>} figure */
function pairs(figure) {
  return Object.entries(figure)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}

/** @param {readonly Fault[]} faults */
function faultTable(faults) {
  const rows = faults.map(({ id, title, verb, kind, records, kept, messages }) => {
    const said = messages.map(cell).join(" ");
    const short = said.length <= 160 ? said : `${said.slice(0, 160).replace(/\s\S*$/, "")} …`;
    return `| ${id} ${title} | ${verb} | ${kind} | ${records} | ${kept} | ${short || "none"} |`;
  });
  const head = [
    "| fault | during | resource | records | ids in state | message |",
    "|---|---|---|---|---|---|",
  ];
  return [...head, ...rows].join("\n");
}

/** @param {string} text */
function cell(text) {
  const plain = text.replace(/https?:\/\/(127\.0\.0\.1|localhost)(:\d+)?/g, "the service");
  return plain.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}

/** @param {Fault} one @param {Fault} other */
function byId(one, other) {
  return one.id.localeCompare(other.id, "en", { numeric: true }) || other.kind.localeCompare(one.kind, "en");
}

await runIfMain(import.meta.url, soak, USAGE);
