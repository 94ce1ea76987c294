"use strict";
/**
 * Preloaded into the processes of Node.js that the engine starts for a test's world. Half of what such a process
 * costs is loading two packages for `@pulumi/pulumi`'s serializer of functions, which this provider never uses.
 * Here they are loaded when something of them is first used. Tests of other projects than a world's, such as those
 * of programs, versions and examples, run without this.
 */
const Module = require("node:module");

/** Who loads what too early, by the end of the path of the file that asks. */
const EARLY = [
  { asks: "runtime/closure/codePaths.js", name: "@npmcli/arborist" },
  { asks: "typescript-shim.js", name: "typescript" },
];

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
  return EARLY.some((each) => each.name === name && from.endsWith(each.asks)) ? whenUsed(now) : now();
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
