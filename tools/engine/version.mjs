import { readFileSync } from "node:fs";

/** The oldest supported engine: the first whose import files can contain inputs and outputs. */
export const OLDEST_ENGINE = "3.254.0";

/** The engine to install or build if there is none: the version in cli/go.mod. */
export const ENGINE_VERSION = namedVersion();

/** Compares versions such as `3.99.0` and `3.258.0` for sorting. */
export const compareVersions = new Intl.Collator("en", { numeric: true }).compare;

/**
 * Whether an engine of this version can run the package: not older than the oldest, and of the same major version.
 *
 * @param {string} version such as `3.258.0`
 */
export function isNewEnough(version) {
  const [major] = OLDEST_ENGINE.split(".");
  return version.startsWith(`${major}.`) && compareVersions(version, OLDEST_ENGINE) >= 0;
}

function namedVersion() {
  const file = new URL("./cli/go.mod", import.meta.url);
  const match = /^\s*github\.com\/pulumi\/pulumi\/pkg\/v3 v(\S+)/m.exec(readFileSync(file, "utf8"));
  if (match?.[1] === undefined)
    throw new Error("tools/engine/cli/go.mod names no version of the Pulumi engine");
  return match[1];
}
