import { stripVTControlCharacters, styleText } from "node:util";
import { story } from "./demo/story.mjs";
import { runIfMain } from "./run-if-main.mjs";

const PRIVACY = ["public", "private", "password"];

const colours = process.env.FORCE_COLOR !== undefined || (process.stdout.isTTY && !process.env.NO_COLOR);
const show = (/** @type {string} */ text) => void process.stdout.write(text);
const log = (/** @type {string} */ line) => show(`${line}\n`);

/** @param {Parameters<typeof styleText>[0]} style @param {string} text */
const styled = (style, text) => (colours ? styleText(style, text, { validateStream: false }) : text);

/** The records that the service holds, a line for each. @param {import("./demo/stage.mjs").Stage["service"]} service */
function inventory(service) {
  const reports = (/** @type {unknown} */ email) => (email ? ", e-mail reports" : "");
  return [
    ...service
      .websites()
      .map(
        ({ id, domain, privacy, email }) =>
          `website ${id}: ${domain}, ${PRIVACY[Number(privacy)]}${reports(email)}`,
      ),
    ...service.pixels().map(({ id, name, type, value }) => `pixel ${id}: ${name}, ${type}, ${value}`),
  ];
}

/**
 * Runs a step, and checks what the service got and holds.
 *
 * @param {import("./demo/story.mjs").Step} step
 * @param {import("./demo/stage.mjs").Stage} stage
 */
async function play({ title, about, meanwhile, changes = [], commands, ...expected }, stage) {
  const { service } = stage;
  if (about !== undefined) log(about);
  if (meanwhile !== undefined) log(`\n${styled("yellow", meanwhile.text)}`);
  meanwhile?.act(service);

  // Edit the program.
  let program = await stage.program();
  if (changes.length > 0) log("\nThe program, index.ts, is changed:");
  for (const [from, to] of changes) {
    if (program.split(from).length !== 2) throw new Error(`The program should have this once:\n${from}`);
    program = program.replace(from, () => to);
    for (const line of from.split("\n")) log(styled("red", `  - ${line}`));
    for (const line of to.split("\n")) log(styled("green", `  + ${line}`));
  }
  await stage.edit(program);
  service.clearRequests();

  // Run the commands as a person types them.
  let [code, output] = [/** @type {number | null} */ (0), ""];
  for (const line of commands) {
    if (code !== 0) break;
    const whole = line.startsWith("npx ") ? line : `pulumi ${line}`;
    log(`\n${styled("bold", `$ ${whole}`)}`);
    const finished = await stage.run(whole, { colours, show });
    code = finished.code;
    output += stripVTControlCharacters(finished.stdout + finished.stderr);
  }

  // Show what the service has got and holds.
  const requests = service.requests();
  const writes = requests.filter(({ method }) => method !== "GET");
  const sent = writes.map(({ method, path }) => `${method} ${path}`);
  const holds = inventory(service);
  log(
    `\n${styled("bold", "The service now holds")}\n${holds.map((record) => `  ${record}`).join("\n") || "  nothing"}`,
  );
  log(
    styled("dim", `  Sent: ${sent.join(", ") || "no change"}, after ${requests.length - sent.length} reads.`),
  );

  // Compare that with what the step says.
  const { refused = false, says = [], writes: writesExpected = [] } = expected;
  /** @type {(verb: string, actual: readonly string[], expected: readonly string[]) => string[]} */
  const differences = (verb, actual, expected) =>
    [...actual].sort().join() === [...expected].sort().join()
      ? []
      : [
          `the service ${verb} ${actual.join(", ") || "nothing"}, and should have ${expected.join(", ") || "nothing"}`,
        ];
  const faults = [
    ...((code !== 0) === refused ? [] : [`the command ended with exit code ${code}`]),
    ...says.filter((words) => !output.includes(words)).map((words) => `it did not print "${words}"`),
    ...differences("got", sent, writesExpected),
    ...differences("holds", holds, expected.holds),
  ];
  if (faults.length > 0) throw new Error(`"${title}" did not do what it says:\n${faults.join("\n")}`);
}

/** Plays every step of the story. @param {import("./demo/stage.mjs").Stage} stage */
async function perform(stage) {
  const steps = story(stage.service.url, stage.key);
  for (const [index, step] of steps.entries()) {
    log(`\n${styled(["bold", "cyan"], `━━ ${index + 1} of ${steps.length}: ${step.title}`)}`);
    const started = performance.now();
    await play(step, stage);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    log(styled("green", `  ✓ Checked in ${seconds} s: all of this is as it should be.`));
  }
}

/** Shows the package at work, through the real engine, and fails if a step does not do what it says. */
async function demo() {
  // On a fresh clone, this module is loaded before packages are installed.
  const { ensureEngine } = await import("./engine/setup.mjs");
  const { setStage } = await import("./demo/stage.mjs");
  const engine = await ensureEngine();
  const interrupted = new AbortController();
  // A terminal sends its signals to the running command too.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => interrupted.abort(new Error("Interrupted.")));
  const stage = await setStage(engine, log, interrupted.signal);
  try {
    log(`\nThe program, index.ts:\n\n${(await stage.program()).trimEnd().replace(/^(?=.)/gm, "    ")}`);
    await perform(stage);
  } finally {
    await stage.clear();
    log("\nThe service is stopped and the project removed.");
  }
}

await runIfMain(import.meta.url, demo);
