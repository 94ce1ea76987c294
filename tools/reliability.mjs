import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ENGINE_VERSION } from "./engine/version.mjs";
import { ROOT } from "./root.mjs";

/** @typedef {(name: string) => string} EngineOf the engine that a part drives */

/** The document's path. */
export const RELIABILITY = join(ROOT, "docs/reliability.md");

const words = {
  adoption: "adoptions: never unasked, never in a preview, never of duplicates, never twice",
  bodies: "generated response bodies for each service: a record or a typed error",
  configurations: "configurations in every dialect: what was applied is what is shown",
  engineConfigurations: "configurations through the real engine: what was applied is what is shown",
  engineModel: "random sequences through the real engine",
  faultRuns: "random fault runs: 0 duplicates, 0 orphans",
  imports:
    "websites, and a fifth as many pixels, imported from every dialect as TypeScript and YAML: no write, no change",
  interruptedImports:
    "imports of 200 records, each interrupted at a different moment: one named command continues, nothing is lost or written",
  largeImport: "websites imported at once: each page of the lists read twice, no write, all protected",
  model: "random sequences of create, update, drift, delete, rename and fault",
  ownership: "stories of two providers that share records: 0 lost, 0 managed twice, 0 adopted unasked",
  oddServices:
    "random sequences with truncated lists, denied records and a PUT that touches all fields: 0 lost, 0 duplicated",
};

/**
 * Writes `docs/reliability.md` from the tests' notes.
 *
 * @param {string} folder the tests' notes, one file each
 * @param {{ version: string, commit: string, onEngine: readonly string[] }} run what was tested, and the parts of it
 *   that drive the real engine
 */
export async function writeReliability(folder, { version, commit, onEngine }) {
  const names = await readdir(folder);
  const notes = await Promise.all(
    names.map(async (name) => ({ name, ...JSON.parse(await readFile(join(folder, name), "utf8")) })),
  );
  const faults = notes.filter(({ id }) => id !== undefined).sort(byPlace);
  const interrupt = notes.find(({ name }) => name === "interrupt");
  /** @type {EngineOf} */
  const engineOf = (name) => (onEngine.includes(name) ? "real" : name === "bodies" ? "none" : "imitation");
  const figures = notes.filter(({ cases }) => cases !== undefined).sort((a, b) => (a.name < b.name ? -1 : 1));
  await writeFile(
    RELIABILITY,
    `# Faults and their outcomes

\`npm run soak\` wrote this page on ${new Date().toISOString().slice(0, 10)}, with version ${version} (commit ${commit}) on Node.js ${process.versions.node} and, where it
says so, Pulumi ${ENGINE_VERSION}. \`npm test\` also tries every fault below, and each ends the same way: the next \`up\` converges
(after what the message asks for), a preview then finds no change, and destroy leaves nothing on the service.

## In an imitation of the engine

The provider runs in the test's process, the service in a server on loopback. Records and ids are counted right after
the fault.

${table(faults.filter(({ isReal }) => !isReal))}

Only one of them cannot be seen when it happens (D13): the service answers an update with the values it was sent, as
every service does, but stores nothing. Reading each record again would double the requests, and lists may lag. The next
refresh shows it, and the next \`up\` sends the values again.

## Through the real engine

The Pulumi CLI, its language host and provider processes, with the packed package installed in a project. Where a process
dies (B), records and ids are counted after the next run.

${table(faults.filter(({ isReal }) => isReal))}

## Generated cases

| cases | what they show | engine | seed |
|---|---|---|---|
${[...figures.map((each) => figureRow(each, engineOf)), ...absent(figures, engineOf)].join("\n")}

\`npm run soak -- model --seed N\` repeats a run.

## An interrupt

${interrupted(interrupt)}
`,
  );
}

/** @param {Parameters<typeof row>[0][]} faults */
function table(faults) {
  return `| fault | during | resource | records | ids in state | message |
|---|---|---|---|---|---|
${faults.map(row).join("\n")}`;
}

/** @param {{ creates: number, answersAfter: number, seconds: number, limit: number } | undefined} figure */
function interrupted(figure) {
  if (figure === undefined) return "Not measured yet.";
  const { creates, answersAfter, seconds, limit } = figure;
  return `With ${creates} creates in flight to a service that answers after ${answersAfter} s, \`pulumi up\` ended ${seconds} s after
the first interrupt (at most ${limit} s: met); state and service held the same records.`;
}

/**
 * @param {{ name: string, cases: number, seed?: number }} figure
 * @param {EngineOf} engineOf
 */
function figureRow({ name, cases, seed }, engineOf) {
  return `| ${cases} | ${words[/** @type {keyof typeof words} */ (name)] ?? name} | ${engineOf(name)} | ${seed ?? ""} |`;
}

/**
 * @param {readonly { name: string }[]} figures of the parts that were run
 * @param {EngineOf} engineOf
 */
function absent(figures, engineOf) {
  return Object.entries(words)
    .filter(([part]) => !figures.some(({ name }) => name === part))
    .map(([name, text]) => `| not run at full size yet | ${text} | ${engineOf(name)} | |`);
}

/** @param {{ id: string, title: string, verb: string, kind: string, records: number, kept: number, messages: string[] }} note */
function row({ id, title, verb, kind, records, kept, messages }) {
  const said = messages.length === 0 ? "none" : shortened(messages.join(" "));
  return `| ${id} ${title} | ${verb} | ${kind} | ${records} | ${kept} | ${said} |`;
}

/** @param {string} message */
function shortened(message) {
  const plain = message
    .replace(/https?:\/\/(127\.0\.0\.1|localhost)(:\d+)?/g, "the service")
    .replaceAll("|", "\\|")
    .replaceAll("<", "&lt;");
  return plain.length <= 160 ? plain : `${plain.slice(0, 160).replace(/\s\S*$/, "")} …`;
}

/**
 * @param {{ id: string, kind: string }} a
 * @param {{ id: string, kind: string }} b
 */
function byPlace(a, b) {
  return a.id.localeCompare(b.id, "en", { numeric: true }) || b.kind.localeCompare(a.kind, "en");
}
