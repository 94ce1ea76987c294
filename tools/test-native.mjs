import { ensureEngine } from "./engine/setup.mjs";
import { ensurePackages } from "./packages.mjs";
import { runIfMain } from "./run-if-main.mjs";
import { vitest } from "./vitest.mjs";

const usage = `npm run test:native -- [ARGUMENTS OF VITEST]

Runs the engine's tests over the plugin, and programs in Python and Go. Takes 15 to 20 minutes on two cores. Programs
in Python need python3 and the package registry, those in Go need Go; if they are missing, the test names it and is
skipped.

  npm run test:native -- test/engine/languages   only some files`;

await runIfMain(
  import.meta.url,
  async () => {
    await ensurePackages();
    await ensureEngine();
    const args = ["run", "--project", "engine", ...process.argv.slice(2)];
    process.exitCode = (await vitest(args, { ...process.env, FORM: "native" })) ?? 1;
  },
  usage,
);
