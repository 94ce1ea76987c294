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
  ledger: "stories of two providers that share records: 0 lost, 0 managed twice, 0 adopted unasked",
  oddServices:
    "random sequences with truncated lists, denied records and a PUT that touches all fields: 0 lost, 0 duplicated",
};

/**
 * The text of `docs/reliability.md`.
 *
 * @param {readonly import("./soak-notes.mjs").Note[]} notes of the tests
 * @param {{ version: string, onEngine: readonly string[] }} run what was tested, and the parts of it that drive the real
 *   engine
 */
export function reliabilityOf(notes, { version, onEngine }) {
  const faults = notes.filter(({ name }) => name.startsWith("fault-")).sort(byPlace);
  /** @type {(import("./soak-notes.mjs").Note & { part: string })[]} */
  const figures = notes
    .filter(({ name }) => name.startsWith("figure-"))
    .map((note) => ({ ...note, part: note.name.replace("figure-", "") }))
    .sort((a, b) => (a.part < b.part ? -1 : 1));
  const interrupt = figures.find(({ part }) => part === "interrupt");
  const cases = figures.filter((figure) => figure.cases !== undefined);
  /** @type {EngineOf} */
  const engineOf = (part) => (onEngine.includes(part) ? "real" : part === "bodies" ? "none" : "imitation");
  const nodes = new Set(notes.map(({ node }) => node));
  const imitated = faults.filter(({ isReal }) => !isReal);
  const real = faults.filter(({ isReal }) => isReal);
  return `# Faults and their outcomes

\`npm run soak\` writes this page. Version ${version} ran on Node.js ${[...nodes].join(" and ")} and, where it says so, Pulumi ${ENGINE_VERSION}; each part
names its date and its commit. \`npm test\` also tries every fault below, and each ends the same way: the next \`up\`
converges (after what the message asks for), a preview then finds no change, and destroy leaves nothing on the service.

## In an imitation of the engine

The provider runs in the test's process, the service in a server on loopback. Records and ids are counted right after
the fault. ${ranOn(imitated)}

${table(imitated)}

Only one of them cannot be seen when it happens (D13): the service answers an update with the values it was sent, as
every service does, but stores nothing. Reading each record again would double the requests, and lists may lag. The next
refresh shows it, and the next \`up\` sends the values again.

## Through the real engine

The Pulumi CLI, its language host and provider processes, with the packed package installed in a project. Where a process
dies (B), records and ids are counted after the next run. ${ranOn(real)}

${table(real)}

## Generated cases

| cases | what they show | engine | seed | run on | commit |
|---|---|---|---|---|---|
${[...cases.map((each) => figureRow(each, engineOf)), ...absent(cases, engineOf)].join("\n")}

\`npm run soak -- model --seed N\` repeats a run.

## An interrupt

${interrupted(interrupt)}
`;
}

/** @param {readonly import("./soak-notes.mjs").Note[]} notes */
function ranOn(notes) {
  const runs = new Set(notes.map(({ date, commit }) => `${date} with commit ${commit}`));
  return `Run on ${[...runs].sort().join(", and on ")}.`;
}

/** @param {readonly import("./soak-notes.mjs").Note[]} faults */
function table(faults) {
  return `| fault | during | resource | records | ids in state | message |
|---|---|---|---|---|---|
${faults.map(row).join("\n")}`;
}

/** @param {import("./soak-notes.mjs").Note | undefined} figure */
function interrupted(figure) {
  if (figure === undefined) return "Not measured yet.";
  const { creates, answersAfter, seconds, limit } = figure;
  return `With ${creates} creates in flight to a service that answers after ${answersAfter} s, \`pulumi up\` ended ${seconds} s after
the first interrupt (at most ${limit} s: met); state and service held the same records. ${ranOn([figure])}`;
}

/**
 * @param {import("./soak-notes.mjs").Note} figure
 * @param {EngineOf} engineOf
 */
function figureRow({ part, cases, seed, date, commit }, engineOf) {
  const what = words[/** @type {keyof typeof words} */ (part)] ?? part;
  return `| ${cases} | ${what} | ${engineOf(part)} | ${seed ?? ""} | ${date} | ${commit} |`;
}

/**
 * @param {readonly { part: string }[]} figures of the parts that were run
 * @param {EngineOf} engineOf
 */
function absent(figures, engineOf) {
  return Object.entries(words)
    .filter(([name]) => !figures.some(({ part }) => name === part))
    .map(([name, text]) => `| not run at full size yet | ${text} | ${engineOf(name)} | | | |`);
}

/** @param {import("./soak-notes.mjs").Note} note */
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
 * @param {import("./soak-notes.mjs").Note} a
 * @param {import("./soak-notes.mjs").Note} b
 */
function byPlace(a, b) {
  return a.id.localeCompare(b.id, "en", { numeric: true }) || b.kind.localeCompare(a.kind, "en");
}
