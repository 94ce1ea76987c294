import type { RemoteRecord } from "../../provider/schema/codec";
import type { Resource } from "../../provider/schema/resource";
import { failureFor } from "../pulumi/failure";
import { previewProgram } from "../pulumi/preview";
import { projectFolder } from "../pulumi/project";
import type { Stack } from "../pulumi/stack";
import { ServiceRecords } from "../service-records";
import type { Terminal } from "../terminal";
import type { ImportOptions } from "./command";
import type { ImportStatus } from "./import-status";
import { baseUrlFor, ManagedRecords } from "./managed-records";
import { matchDeclared } from "./match-declared";
import { previewAfterImport } from "./preview-after-import";
import { settingsByProvider } from "./provider-settings";
import { requireImportSupport, writeAndImport } from "./run-import";

/** Brings the records under management that the program declares and the stack does not hold. */
export async function importDeclared(
  options: ImportOptions,
  stack: Stack,
  status: ImportStatus,
  terminal: Terminal,
): Promise<void> {
  const { print } = terminal;
  if (projectFolder(process.cwd()) === undefined) throw failureFor("no-project");
  await requireImportSupport(stack);
  const settings = await stack.settings();
  print("Asking the program what it declares ...");
  const preview = await previewProgram(stack);
  const managed = new ManagedRecords(await stack.deployment({ secrets: true }), settings);
  const settingsOf = settingsByProvider(preview, managed, settings);
  const finders = new Map<string, Finder>();
  const matched = await matchDeclared(preview, managed, {
    baseUrl: (resource, planned) => baseUrlFor(resource, settingsOf(planned)),
    find: (resource, planned, key) => {
      const place = `${resource.type} ${planned.provider ?? ""}`;
      const account = new ServiceRecords(settingsOf(planned), { warn: print, debug: print });
      const find = finders.get(place) ?? finderFor(account, resource);
      finders.set(place, find);
      return find(key);
    },
  });
  for (const line of matched.notes) print(line);
  if (matched.count === 0) {
    print("There is nothing to import: no declared record that the stack lacks is on the service.");
    if (options.apply) await previewAfterImport(stack, [], print);
    return;
  }
  if (!(await writeAndImport(stack, matched.file, options, status, terminal))) return;
  print(`${matched.count} imported.`);
  await previewAfterImport(stack, [], print);
}

/** Gives records among which are all that have a key. */
type Finder = (key: unknown) => Promise<readonly RemoteRecord[]>;

/** Looks into the list, which is read once; where that is cut off, the service is asked for each key. */
export function finderFor(account: ServiceRecords, resource: Resource): Finder {
  const listing = account.list(resource);
  return async (key) => {
    const { records, complete } = await listing;
    return complete ? records : account.find(resource, key);
  };
}
