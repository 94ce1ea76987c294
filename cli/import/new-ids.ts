import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseUrn } from "../../provider/hosts/urn";
import { enumerate } from "../alike";
import { withTemporaryFolder } from "../pulumi/process";
import type { ImportRun } from "./run";

/**
 * Gives resources of the stack their records' new ids, if that is asked for. The engine refuses to import another id for a
 * resource that it has, and to drop one on which others depend, so the state is changed and everything else in it kept:
 * a secret stays as it was exported, encrypted.
 */
export async function setIds(ids: ReadonlyMap<string, string>, run: ImportRun): Promise<void> {
  const { stack, print, options } = run;
  const names = enumerate([...ids].map(([urn, id]) => `"${parseUrn(urn).name}" (id ${id})`));
  if (!options.apply || !options.newIds)
    return print(
      `The records of these resources have other ids now: ${names}. If the base URL and the key are those of the right account, --apply --new-ids changes the stack's ids.`,
    );
  const { stdout } = await stack.runOrThrow(["stack", "export"]);
  const exported = JSON.parse(stdout);
  for (const resource of exported.deployment.resources) {
    const id = resource.delete ? undefined : ids.get(resource.urn);
    if (id === undefined) continue;
    resource.id = id;
    // The id under which it was imported once.
    if (resource.importID !== undefined) resource.importID = id;
  }
  await withTemporaryFolder(async (folder) => {
    const file = join(folder, "state.json");
    writeFileSync(file, JSON.stringify(exported));
    await stack.runOrThrow(["stack", "import", "--file", file], {
      outputFile: join(folder, "output"),
      onWait: () => print("Waiting until the state is written; interrupt again to stop it at once."),
    });
  });
  print(`The stack has the new ids of ${ids.size}: ${names}.`);
}
