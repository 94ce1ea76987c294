import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureEngine } from "./engine/setup.mjs";
import { ensurePackages } from "./packages.mjs";
import { record } from "./picture/recording.mjs";
import { STEP, stepIn } from "./picture/step.mjs";
import { draw } from "./picture/svg.mjs";
import { ROOT } from "./root.mjs";
import { runIfMain } from "./run-if-main.mjs";

const FILE = join(ROOT, "docs", "demo.svg");

const USAGE = `npm run picture

Plays the demo on a separate terminal, up to the end of the step "${STEP}", and writes what that
terminal shows of this step, with its colours, to docs/demo.svg, the picture in the README. About a minute.`;

/** Draws the picture in the README from a real run of the demo. */
async function picture() {
  await ensurePackages();
  await ensureEngine();
  console.log(`Playing the demo up to the end of "${STEP}" …`);
  await writeFile(FILE, draw(stepIn(await record(STEP)), `npm run demo: ${STEP.toLowerCase()}`));
  console.log("docs/demo.svg is written.");
}

await runIfMain(import.meta.url, picture, USAGE);
