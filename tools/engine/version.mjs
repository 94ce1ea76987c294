import { readFileSync } from "node:fs";

/** The oldest supported engine: the first whose import files can contain inputs and outputs. */
export const OLDEST_ENGINE = "3.254.0";

const MODULE = readFileSync(new URL("./cli/go.mod", import.meta.url), "utf8");

/** The engine to install or build if there is none. */
export const ENGINE_VERSION = /^\s*github\.com\/pulumi\/pulumi\/pkg\/v3 v(\S+)/m.exec(MODULE)?.[1] ?? "";

/** The Go version that building it takes. */
export const GO_VERSION = /^go (\S+)$/m.exec(MODULE)?.[1] ?? "";

const { compare } = new Intl.Collator("en", { numeric: true });

/** Whether an engine such as `3.258.0` can run the package: not older than the oldest, and of its major version. */
export const isNewEnough = (/** @type {string} */ version) =>
  version.startsWith("3.") && compare(version, OLDEST_ENGINE) >= 0;
