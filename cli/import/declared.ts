import type { RemoteRecord } from "../../provider/schema/codec";
import type { Resource } from "../../provider/schema/resource";
import { previewProgram } from "../pulumi/preview";
import { requireProject } from "../pulumi/project";
import { ServiceRecords } from "../service-records";
import type { ImportRun } from "./import-run";
import { baseUrlFor, ManagedRecords } from "./managed-records";
import { matchDeclared } from "./match-declared";
import { previewAfterImport } from "./preview-after-import";
import { settingsByProvider } from "./provider-settings";
import { importEntries, requireImportSupport } from "./pulumi-import";

/** Imports the records that the program declares and the stack does not manage. */
export async function importDeclared(run: ImportRun): Promise<void> {
  const { options, stack } = run;
  const { print } = run.terminal;
  requireProject(process.cwd());
  await requireImportSupport(stack);
  const settings = await stack.settings();
  print("Running the program to see what it declares ...");
  const preview = await previewProgram(stack);
  const managed = new ManagedRecords(await stack.deployment({ secrets: true }), settings);
  const settingsOf = settingsByProvider(preview, managed, settings);
  const finders = new Map<string, Finder>();
  const matched = await matchDeclared(preview, managed, {
    baseUrl: (resource, planned) => baseUrlFor(resource, settingsOf(planned)),
    find: (resource, planned, key) => {
      const id = `${resource.type} ${planned.provider ?? ""}`;
      const service = new ServiceRecords(settingsOf(planned), { warn: print, debug: print });
      const find = finders.get(id) ?? finderFor(service, resource);
      finders.set(id, find);
      return find(key);
    },
  });
  for (const note of matched.notes) print(note);
  if (matched.count === 0) {
    print("Nothing to import: no declared record that the stack lacks exists on the service.");
    if (options.apply) await previewAfterImport(stack, [], print);
    return;
  }
  if (!(await importEntries(matched.file, run))) return;
  print(`${matched.count} imported.`);
  await previewAfterImport(stack, [], print);
}

/** Gives records that include all with this key. */
type Finder = (key: unknown) => Promise<readonly RemoteRecord[]>;

/** Uses the list, which is read once; if it is incomplete, the service is asked for each key. */
export function finderFor(service: ServiceRecords, resource: Resource): Finder {
  const list = service.list(resource);
  return async (key) => {
    const { records, complete } = await list;
    return complete ? records : service.find(resource, key);
  };
}
