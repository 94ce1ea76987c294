import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Puts executables into a folder that say they are an engine of this version. */
export function fakeEngine(
  bin: string,
  version: string,
  names = ["pulumi", "pulumi-language-nodejs"],
): string {
  for (const name of names) executable(bin, name, `#!/bin/sh\necho v${version}\n`);
  return bin;
}

/** Puts one executable script into a folder. */
export function executable(bin: string, name: string, script: string): void {
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), script);
  chmodSync(join(bin, name), 0o755);
}
