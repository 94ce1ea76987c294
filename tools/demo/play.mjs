import { deviations } from "./check.mjs";
import { colours, difference, inventory, log, show, styled } from "./screen.mjs";

/** @typedef {import("./stage.mjs").Stage} Stage */

/** A step whose outcome is not the expected one. */
export class StepFailed extends Error {
  /**
   * @param {string} title
   * @param {readonly string[]} faults
   */
  constructor(title, faults) {
    super(`The step "${title}" did not do what it says:\n${faults.map((fault) => `- ${fault}`).join("\n")}`);
    this.name = "StepFailed";
  }
}

/**
 * Runs a step: shows what it does and what pulumi prints, then checks the service's records.
 *
 * @param {import("./story.mjs").Step} step
 * @param {Stage} stage
 * @throws {StepFailed}
 */
export async function play(step, stage) {
  const { service } = stage;
  if (step.about !== undefined) log(step.about);
  if (step.meanwhile !== undefined) {
    log(`\n${styled("yellow", step.meanwhile.text)}`);
    await step.meanwhile.act(service);
  }
  if (step.changes !== undefined) await edit(step.changes, stage);
  await service.clearRequests();
  let [code, output] = [/** @type {number | null} */ (0), ""];
  for (const [index, line] of step.commands.entries()) {
    const whole = line.startsWith("npx ") ? line : `pulumi ${line}`;
    log(`\n${styled("bold", `$ ${whole}`)}`);
    const finished = await stage.run(whole, { colours, show });
    ({ code } = finished);
    output += finished.stdout + finished.stderr;
    if (code !== 0 && index < step.commands.length - 1) break;
  }
  const requests = await service.requests();
  const writes = requests.filter(({ method }) => method !== "GET");
  const holds = { websites: await service.websites(), pixels: await service.pixels() };
  if (!output.endsWith("\n\n")) log("");
  log(`${styled("bold", "The service now holds")}\n${inventory(holds)}`);
  const sent = writes.map(({ method, path }) => `${method} ${path}`);
  log(styled("dim", `  It was sent ${inWords(sent, requests.length - sent.length)}.`));
  const faults = deviations(step, { code, output, writes: sent, holds });
  if (faults.length > 0) throw new StepFailed(step.title, faults);
}

/**
 * @param {readonly import("./story.mjs").Change[]} changes
 * @param {Stage} stage
 */
async function edit(changes, stage) {
  log("\nThe program, index.ts, is changed:");
  let text = await stage.program();
  for (const { from, to } of changes) {
    if (text.split(from).length !== 2) throw new Error(`The program should have this once:\n${from}`);
    const changed = text.replace(from, () => to);
    log(difference(text, changed));
    text = changed;
  }
  await stage.edit(text);
}

/**
 * @param {readonly string[]} writes
 * @param {number} reads
 */
function inWords(writes, reads) {
  const looks = reads === 0 ? [] : [`${reads} ${reads === 1 ? "read" : "reads"}`];
  return [...writes, ...looks].join(", ") || "nothing";
}
