import { endpoint, SettingError, type Source } from "../../provider/config/endpoint";
import { catalogue } from "../../provider/resources";
import { noun, type Resource } from "../../provider/schema/resource";
import type { Found } from "../../provider/schema/wire";
import { type Account, CutOff } from "../account";
import { CommandFailure } from "../failure";
import type { ImportArguments } from "../import";
import type { Screen } from "../progress";
import type { Deployment } from "../pulumi/answers";
import { failureOf, NoStack } from "../pulumi/cause";
import { projectFolder } from "../pulumi/project";
import type { Stack } from "../pulumi/stack";

/** What an import goes by: a stack, or the environment alone. */
export interface Opened {
  readonly settings: Source;
  /** Why no stack is read. */
  readonly missing?: NoStack;
  deployment(): Promise<Deployment>;
}

/** Opens the stack; the environment alone counts where there is none, unless one is needed. */
export async function opened(stack: Stack, needed: boolean): Promise<Opened> {
  try {
    // Outside of a project the engine is not asked: it may want a login first, which nobody needs here.
    if (projectFolder(process.cwd()) === undefined) throw failureOf("no-project");
    const settings = await stack.settings();
    return { settings, deployment: () => stack.deployment({ secrets: true }) };
  } catch (error) {
    if (needed || stack.name !== undefined || !(error instanceof NoStack)) throw error;
    return { settings: { get: () => undefined }, missing: error, deployment: async () => ({}) };
  }
}

/** A resource, and every record of it that the account shows. */
export type Listed = readonly [resource: Resource, records: readonly Found[]];

/** Reads one kind after the other: where a key opens only one of them, that one is imported. */
export async function listsOf(
  only: ImportArguments["only"],
  account: Account,
  { settings, missing }: Opened,
  tell: Screen["tell"],
): Promise<readonly Listed[]> {
  const kinds = catalogue.filter((each) => only === undefined || only === `${noun(each)}s`);
  if (missing !== undefined && kinds.every(({ service }) => lacksSettings(service, settings)))
    throw new CommandFailure(
      missing.problem,
      `${missing.remedy} Without a stack, set TRACKING_API_KEY and the base URLs in the environment.`,
    );
  if (missing !== undefined) tell(`No stack is read, so every record counts as new. ${missing.problem}.`);
  const lists: Listed[] = [];
  const failures: CommandFailure[] = [];
  for (const resource of kinds) {
    try {
      lists.push([resource, await account.records(resource)]);
    } catch (error) {
      if (!(error instanceof CommandFailure) || error instanceof CutOff) throw error;
      failures.push(error);
    }
  }
  if (lists.length === 0 && failures[0] !== undefined) throw failures[0];
  for (const { message } of failures) tell(`${message} The rest is imported without them.`);
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
