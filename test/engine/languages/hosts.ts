import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Why no program in a language can be run here, if so. The official engine brings the hosts of all languages. */
export function missingHost(language: string, { PATH = "" }: NodeJS.ProcessEnv): string | undefined {
  const host = `pulumi-language-${language}`;
  const isThere = PATH.split(delimiter).some((folder) => existsSync(join(folder, host)));
  return isThere ? undefined : `No program can be run here in ${language}: there is no ${host} on PATH`;
}
