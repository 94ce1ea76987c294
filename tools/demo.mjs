import { play } from "./demo/play.mjs";
import { log, styled } from "./demo/screen.mjs";
import { Interrupted, Stage } from "./demo/stage.mjs";
import { story } from "./demo/story.mjs";
import { ensureEngine } from "./engine/setup.mjs";
import { ensurePackages } from "./packages.mjs";
import { runIfMain } from "./run-if-main.mjs";

const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/** Shows the package at work, through the real engine, and fails if a step does not do what it says. */
async function demo() {
  await ensurePackages({ log });
  const engine = await ensureEngine({ log });
  /** @type {Stage | undefined} */
  let stage;
  let interrupted = false;
  const interrupt = () => {
    if (!interrupted) log("\nStopping …");
    interrupted = true;
    stage?.interrupt();
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    stage = await Stage.set(engine, log);
    if (interrupted) throw new Interrupted();
    await perform(stage);
  } catch (error) {
    // After an interrupt, other errors are its consequences.
    throw interrupted ? new Interrupted() : error;
  } finally {
    await stage?.clear();
    if (stage !== undefined) log("\nThe service is stopped and the project removed.");
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}

/** @param {Stage} stage */
async function perform(stage) {
  log(`\nThe program, index.ts:\n\n${(await stage.program()).trimEnd().replace(/^(?=.)/gm, "    ")}`);
  const steps = story(stage.service.url, stage.key);
  const summary = steps.map(({ title }) => styled("dim", `  - ${title} (not done)`));
  try {
    for (const [index, step] of steps.entries()) {
      log(`\n${styled(["bold", "cyan"], `━━ ${index + 1} of ${steps.length}: ${step.title}`)}`);
      const started = performance.now();
      await play(step, stage).catch((error) => {
        if (!(error instanceof Interrupted)) summary[index] = styled("red", `  ✗ ${step.title}`);
        throw error;
      });
      log(styled("green", "  ✓ Checked: all of this is as it should be."));
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      summary[index] = styled("green", `  ✓ ${step.title} (${seconds} s)`);
    }
  } finally {
    log(`\n${styled(["bold", "cyan"], "━━ Summary")}\n${summary.join("\n")}`);
  }
}

const usage = `npm run demo

Shows the package at work on this terminal: create, change, protect, drift, adopt, import, destroy. It runs the
real Pulumi engine against the service on this machine, and checks every step. Takes 1 to 3 minutes; the first time
some more, for what has to be installed. Ctrl-C stops it and leaves nothing behind.`;

await runIfMain(import.meta.url, demo, usage);
