import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run } from "../../../tools/child.mjs";
import { ROOT } from "../../../tools/root.mjs";

/** Why no program in a language can be run here, if so. The official engine brings the hosts of all languages. */
export function missingHost(language: string, { PATH = "" }: NodeJS.ProcessEnv): string | undefined {
  const host = `pulumi-language-${language}`;
  const isThere = PATH.split(delimiter).some((folder) => existsSync(join(folder, host)));
  return isThere ? undefined : `No program can be run here in ${language}: there is no ${host} on PATH`;
}

/** Generates the package of a language as a release does, into a folder that has the language's name. */
export async function generatePackage(language: string, parent: string, env: NodeJS.ProcessEnv) {
  const args = ["package", "gen-sdk", join(ROOT, "schema.json"), "--language", language, "--out", parent];
  await run("pulumi", args, { env });
}
