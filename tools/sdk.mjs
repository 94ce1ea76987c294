import { parseArgs } from "node:util";
import { ensurePackages } from "./packages.mjs";
import { runIfMain } from "./run-if-main.mjs";
import { generateSdk, LANGUAGES } from "./sdk/generate.mjs";

const usage = `npm run sdk -- LANGUAGE FOLDER

Generates the package of one language from the plugin's schema. Needs Go; the first time it takes some minutes, to
compile the generator.

  LANGUAGE   ${LANGUAGES.join(", ")}
  FOLDER     where to write it`;

/** Generates one package, or says how. */
async function sdk() {
  await ensurePackages();
  const { positionals } = parseArgs({ allowPositionals: true });
  const [wanted, folder] = positionals;
  const language = LANGUAGES.find((each) => each === wanted);
  if (language === undefined || folder === undefined) {
    console.error(usage);
    process.exitCode = 2;
    return;
  }
  await generateSdk(language, folder);
  console.log(`The package for ${language} is in ${folder}.`);
}

await runIfMain(import.meta.url, sdk, usage);
