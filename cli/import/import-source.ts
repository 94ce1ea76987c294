import { endpoint, SettingError, type Source } from "../../provider/config/endpoint";
import { catalogue } from "../../provider/resources";
import type { RemoteRecord } from "../../provider/schema/codec";
import { noun, type Resource } from "../../provider/schema/resource";
import { CommandFailure } from "../failure";
import { failureFor, NoStack } from "../pulumi/failure";
import type { Deployment } from "../pulumi/json-output";
import { projectFolder } from "../pulumi/project";
import type { Stack } from "../pulumi/stack";
import { IncompleteList, type ServiceRecords } from "../service-records";
import type { Terminal } from "../terminal";
import type { ImportOptions } from "./command";

/** What an import goes by: a stack, or the environment alone. */
export interface ImportSource {
  readonly settings: Source;
  /** Why no stack is read. */
  readonly missing?: NoStack;
  deployment(): Promise<Deployment>;
}

/** Opens the stack; the environment alone counts where there is none, unless one is needed. */
export async function openSource(stack: Stack, needed: boolean): Promise<ImportSource> {
  try {
    // Outside of a project the engine is not asked: it may want a login first, which nobody needs here.
    if (projectFolder(process.cwd()) === undefined) throw failureFor("no-project");
    const settings = await stack.settings();
    return { settings, deployment: () => stack.deployment({ secrets: true }) };
  } catch (error) {
    if (needed || stack.name !== undefined || !(error instanceof NoStack)) throw error;
    return { settings: { get: () => undefined }, missing: error, deployment: async () => ({}) };
  }
}

/** A resource, and every record of it that the account shows. */
export type ListedRecords = readonly [resource: Resource, records: readonly RemoteRecord[]];

/** Reads one kind after the other: where a key opens only one of them, that one is imported. */
export async function listRecords(
  only: ImportOptions["only"],
  account: ServiceRecords,
  { settings, missing }: ImportSource,
  print: Terminal["print"],
): Promise<readonly ListedRecords[]> {
  const kinds = catalogue.filter((each) => only === undefined || only === `${noun(each)}s`);
  if (missing !== undefined && kinds.every(({ service }) => lacksSettings(service, settings)))
    throw new CommandFailure(
      missing.problem,
      `${missing.remedy} Without a stack, set TRACKING_API_KEY and the base URLs in the environment.`,
    );
  if (missing !== undefined) print(`No stack is read, so every record counts as new. ${missing.problem}.`);
  const lists: ListedRecords[] = [];
  const failures: CommandFailure[] = [];
  for (const resource of kinds) {
    try {
      lists.push([resource, await account.all(resource)]);
    } catch (error) {
      if (!(error instanceof CommandFailure) || error instanceof IncompleteList) throw error;
      failures.push(error);
    }
  }
  if (lists.length === 0 && failures[0] !== undefined) throw failures[0];
  for (const { message } of failures) print(`${message} The rest is imported without them.`);
  return lists;
}

function lacksSettings(service: Resource["service"], settings: Source): boolean {
  try {
    endpoint(service, settings);
    return false;
  } catch (error) {
    if (error instanceof SettingError) return true;
    throw error;
  }
}
