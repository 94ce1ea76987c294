import { readFileSync } from "node:fs";

/** The oldest supported engine: the first whose import files can contain inputs and outputs. */
export const OLDEST_ENGINE = "3.254.0";

const MODULE = readFileSync(new URL("./cli/go.mod", import.meta.url), "utf8");

/** The engine for which go.mod and go.sum name everything that it is built from. */
export const PINNED_ENGINE = /^\s*github\.com\/pulumi\/pulumi\/pkg\/v3 v(\S+)/m.exec(MODULE)?.[1] ?? "";

/** Another engine to run everything on, by its version. */
const { PULUMI_ENGINE_VERSION: requested } = process.env;

/** The engine to install or build if there is none. */
export const ENGINE_VERSION = requested || PINNED_ENGINE;

/** The Go version that building it takes. */
export const GO_VERSION = /^go (\S+)$/m.exec(MODULE)?.[1] ?? "";

const { compare: compareVersions } = new Intl.Collator("en", { numeric: true });

/**
 * Whether an engine that is there, such as `3.258.0`, can be used: the requested one; without a request, any that is
 * not older than the oldest, and of its major version.
 *
 * @param {string} version
 */
export const isUsable = (version) =>
  requested
    ? version === requested
    : version.startsWith("3.") && compareVersions(version, OLDEST_ENGINE) >= 0;
