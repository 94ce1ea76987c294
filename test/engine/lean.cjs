"use strict";
/**
 * Preloaded into the Node.js processes that the engine starts for a test's project. Most of what such a process
 * costs is loading what `@pulumi/pulumi` needs for serializing functions, for tracing and for its automation, which
 * this provider never uses, and reading the source maps of its own files. Here it is loaded when something of it is
 * first used. Where a test is about how a program is compiled, loaded or installed, its first command runs without this.
 */
const Module = require("node:module");

/** Who loads what too early: by the end of the path of the file that asks, and by how it asks. */
const EARLY = [
  { asks: "runtime/closure/codePaths.js", names: /^(@npmcli\/arborist|normalize-package-data)$/ },
  { asks: "typescript-shim.js", names: /^typescript$/ },
  { asks: "cmd/run/tracing.js", names: /^@opentelemetry\/(?!api$)/ },
  { asks: "@pulumi/pulumi/index.js", names: /^\.\/automation$/ },
  // Asked for what it does as it is loaded, it is never used.
  { asks: "/index.js", names: /^source-map-support\/register$/ },
];

/** A debugger's session is begun before the program, in case that a function of it is serialized. */
const SESSION = { asks: "cmd/run/index.js", names: /closure\/v8Hooks$/ };

// An official language host leaves TypeScript out where Pulumi.yaml says `typescript: false`; one that was built
// from source does not hear of it.
if (process.env.WORLD_IS_PLAIN === "true") delete process.env.PULUMI_NODEJS_TYPESCRIPT;

/**
 * What Node.js does for every `require`; it does not declare it.
 *
 * @typedef {(name: string, parent: { filename?: string | null } | undefined, isMain: boolean) => Exports} Load
 *
 * @typedef {Record<PropertyKey, unknown>} Exports
 */
const loader = /** @type {{ _load: Load }} */ (/** @type {unknown} */ (Module));
const load = loader._load;
/** @type {Load} */
loader._load = (name, parent, isMain) => {
  const now = () => load.call(loader, name, parent, isMain);
  const from = (parent?.filename ?? "").replaceAll("\\", "/");
  /** @param {{ asks: string, names: RegExp }} each */
  const isMeant = ({ asks, names }) => names.test(name) && from.endsWith(asks);
  if (isMeant(SESSION)) return { isInitializedAsync: async () => {} };
  return EARLY.some(isMeant) ? whenUsed(now) : now();
};

/**
 * A module that is loaded when one of its exports is first read.
 *
 * @param {() => Exports} now
 * @returns {Exports}
 */
function whenUsed(now) {
  /** @type {Exports | undefined} */
  let whole;
  return new Proxy(
    {},
    {
      get(_, key) {
        // Without this, what TypeScript compiled reads every export at once.
        if (key === "__esModule") return true;
        whole ??= now();
        return key === "default" ? whole : whole[key];
      },
    },
  );
}
