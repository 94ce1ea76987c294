import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { whenEntry } from "./entry.mjs";
import { ROOT } from "./root.mjs";

const SIZE = 100_000;

/**
 * Tries the decoders on many more generated answers than `npm test` does, and prints the seed and what came of
 * them. Two arguments may be given: how many for each service, and the seed of an earlier run.
 */
async function soak() {
  const [size = String(SIZE), seed = String(randomInt(2 ** 31))] = process.argv.slice(2);
  if (![size, seed].every((text) => /^\d+$/.test(text))) {
    console.error("npm run soak -- [answers a service] [seed]");
    process.exitCode = 2;
    return;
  }
  console.log(`${size} answers a service from seed ${seed} …`);
  const code = await vitest(
    ["run", "--project", "unit", "--reporter=dot", "test/provider/api/bodies.test.ts"],
    {
      ...process.env,
      BODIES: size,
      BODIES_SEED: seed,
    },
  );
  if (code !== 0) {
    console.error(`It failed. The same again: npm run soak -- ${size} ${seed}`);
    process.exitCode = 1;
  }
}

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number | null>} the exit code
 */
function vitest(args, env) {
  const file = join(ROOT, "node_modules/vitest/vitest.mjs");
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], { cwd: ROOT, env, stdio: "inherit" });
    child.on("error", reject);
    child.on("close", resolve);
  });
}

await whenEntry(import.meta.url, soak);
