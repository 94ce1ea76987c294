import { readFileSync } from "node:fs";

/** The oldest supported engine: the first whose import files can contain inputs and outputs. */
export const OLDEST_ENGINE = "3.254.0";

/** The engine to install or build if there is none: the version in cli/go.mod. */
export const ENGINE_VERSION = namedVersion();

/**
 * @param {string} text such as `v3.258.0` or `3.259.0-alpha.1`
 */
function parseVersion(text) {
  const match = /^v?(\d+)\.(\d+)\.(\d+)(-\S+)?$/.exec(text.trim());
  if (match === null) return undefined;
  return { numbers: match.slice(1, 4).map(Number), preview: match[4] !== undefined };
}

/**
 * Compares versions for sorting; an invalid version comes first, and a preview before its release.
 *
 * @param {string} left
 * @param {string} right
 */
export function compareVersions(left, right) {
  const a = parseVersion(left);
  const b = parseVersion(right);
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  for (const [index, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return Number(b.preview) - Number(a.preview);
}

/**
 * Whether an engine of this version can run the package: not older than the oldest, and of the same major version.
 *
 * @param {string} version
 * @param {string} [oldest]
 */
export function isNewEnough(version, oldest = OLDEST_ENGINE) {
  return (
    parseVersion(version)?.numbers[0] === parseVersion(oldest)?.numbers[0] &&
    compareVersions(version, oldest) >= 0
  );
}

function namedVersion() {
  const file = new URL("./cli/go.mod", import.meta.url);
  const match = /^\s*github\.com\/pulumi\/pulumi\/pkg\/v3 v(\S+)/m.exec(readFileSync(file, "utf8"));
  if (match?.[1] === undefined)
    throw new Error("tools/engine/cli/go.mod names no version of the Pulumi engine");
  return match[1];
}
