import type { SettingsSource } from "../../provider/config";
import { catalogue } from "../../provider/resources";
import type { RemoteRecord } from "../../provider/schema/codec";
import { pluralName, type Resource } from "../../provider/schema/resource";
import { CommandFailure } from "../failure";
import { NoStack } from "../pulumi/failure";
import type { Deployment } from "../pulumi/json-output";
import { requireProject } from "../pulumi/project";
import { type ServiceRecords, Unknowable } from "../service-records";
import type { ImportOptions, ImportRun } from "./options";

/** The settings and state that an import uses: a stack's, or the environment's settings alone. */
export interface ImportSource {
  readonly settings: SettingsSource;
  /** Why no stack could be read. */
  readonly missing?: NoStack;
  deployment(): Promise<Deployment>;
}

/** Opens the stack; if there is none and the run does not need it, the environment alone. */
export async function openSource({ stack, options, folder }: ImportRun): Promise<ImportSource> {
  try {
    requireProject(folder);
    return {
      settings: await stack.settings(),
      deployment: () => stack.deployment({ secrets: true }),
    };
  } catch (error) {
    if (options.apply || stack.name !== undefined || !(error instanceof NoStack)) throw error;
    return { settings: { get: () => undefined }, missing: error, deployment: async () => ({}) };
  }
}

/** A resource, and every record of it on the service. */
export type ListedRecords = readonly [resource: Resource, records: readonly RemoteRecord[]];

/** Lists one kind of record after the other; if the key is valid for only one of them, that one is imported. */
export async function listRecords(
  only: ImportOptions["only"],
  service: ServiceRecords,
  { missing }: ImportSource,
  print: (line: string) => void,
): Promise<readonly ListedRecords[]> {
  const kinds = catalogue.filter((each) => only === undefined || only === pluralName(each));
  if (missing !== undefined) print(`Without a stack, every record counts as new. ${missing.message}`);
  const lists: ListedRecords[] = [];
  const failures: CommandFailure[] = [];
  for (const resource of kinds) {
    try {
      lists.push([resource, await service.all(resource)]);
    } catch (error) {
      if (!(error instanceof CommandFailure) || error instanceof Unknowable) throw error;
      failures.push(error);
    }
  }
  if (lists.length === 0 && failures[0] !== undefined) throw failures[0];
  for (const { message } of failures) print(`${message} Only the other records are imported.`);
  return lists;
}
