import type { RemoteRecord } from "../../provider/schema/codec";
import type { Resource } from "../../provider/schema/resource";
import { CommandFailure } from "../failure";
import { previewProgram } from "../pulumi/preview";
import { requireProject } from "../pulumi/project";
import { ServiceRecords, Unknowable } from "../service-records";
import { baseUrlFor, ManagedRecords } from "./managed-records";
import { type FindRecords, matchDeclared } from "./match-declared";
import type { ImportRun } from "./options";
import { previewAfterImport } from "./preview-after-import";
import { HIDDEN, settingsByProvider } from "./provider-settings";
import { importEntries, requireImportSupport } from "./pulumi-import";

/** Imports the records that the program declares and the stack does not manage. */
export async function importDeclared(run: ImportRun): Promise<void> {
  const { options, stack } = run;
  const { print } = run.terminal;
  requireProject(run.folder);
  await requireImportSupport(stack);
  const settings = await stack.settings();
  print("Running the program to see what it declares ...");
  const preview = await previewProgram(stack);
  const managed = new ManagedRecords(await stack.deployment({ secrets: true }), settings);
  const settingsOf = settingsByProvider(preview.planned, managed, settings);
  const finders = new Map<string, Finder>();
  const find: FindRecords = async (resource, planned, key) => {
    if (key === HIDDEN)
      throw new Unknowable(
        `its ${resource.key} is a secret, which a preview hides`,
        "Give it adopt: true instead",
      );
    const source = settingsOf(planned);
    const id = `${resource.type} ${planned.provider ?? ""}`;
    const finder =
      finders.get(id) ?? finderFor(new ServiceRecords(source, { warn: print, debug: print }), resource);
    finders.set(id, finder);
    return { baseUrl: baseUrlFor(resource, source), records: await finder(key) };
  };
  const matched = await matchDeclared(preview, managed, find);
  for (const note of matched.notes) print(note);
  if (preview.file === undefined)
    throw new CommandFailure(
      "Nothing is imported, because a preview of the program fails: it would delete protected resources",
      'Run "pulumi preview", which names them; declare each again, or, if you renamed it, give the new one its aliases',
    );
  if (matched.count === 0)
    print("Nothing to import: the stack has every declared record that can be imported.");
  else if (await importEntries(matched.file, run)) print(`${matched.count} imported.`);
  if (options.apply) await previewAfterImport(run);
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
