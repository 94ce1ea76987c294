import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { commitOf } from "../tools/commit.mjs";
import { ROOT } from "../tools/root.mjs";

/**
 * The machine and versions, as rows of the document.
 *
 * @param {import("../tools/engine/setup.mjs").ReadyEngine} engine
 * @returns {Promise<[string, string][]>}
 */
export async function machineRows(engine) {
  /** @param {string[]} path */
  const manifest = async (...path) => JSON.parse(await readFile(join(ROOT, ...path, "package.json"), "utf8"));
  const sdk = await manifest("node_modules", "@pulumi", "pulumi");
  const { version } = await manifest();
  return [
    ["Node.js", process.versions.node],
    ["Pulumi", engine.version],
    ["`@pulumi/pulumi`", sdk.version],
    ["this package", `${version}, commit ${await commitOf()}`],
    ["processors", `${availableParallelism()}, ${process.platform} ${process.arch}`],
    ["date", new Date().toISOString().slice(0, 10)],
  ];
}
