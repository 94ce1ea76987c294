import type { Logger } from "../../provider/api/client";
import { registerSecret, sanitize } from "../../provider/api/redact";
import { manifest } from "../manifest";
import { projectFolder } from "../pulumi/project";
import { duplicatesInState } from "./duplicates";
import { type Finding, type Report, report } from "./finding";
import {
  environmentSettings,
  type ProviderSettings,
  secretsOf,
  serviceAddress,
  settingsFor,
  stackSettings,
  stacksOf,
  usesAnyService,
} from "./provider-settings";
import { recordFindings } from "./records";
import { serviceFinding } from "./service-status";
import { type Connection, connectionsOf, knownServices, queryService } from "./services";
import { settingFindings } from "./settings";
import { type OpenStack, readStacks, type StackSelection, type StacksRead } from "./stacks";
import { type StackResource, stackResources, stateFindings } from "./state";
import { installedVersions, versionFindings } from "./versions";

/** Where the doctor looks; a test may replace any of it. */
export interface DoctorContext {
  /** The folder that the command runs in. */
  readonly folder: string;
  readonly logger: Logger;
  readonly open?: OpenStack;
  readonly env?: NodeJS.ProcessEnv;
}

/** Checks everything and changes nothing. */
export async function diagnose(
  selection: StackSelection,
  { folder, logger, open, env }: DoctorContext,
): Promise<Report> {
  const required = manifest();
  const project = projectFolder(folder);
  const versions = versionFindings(await installedVersions(project, open?.()), required);
  const alone = usesAnyService(environmentSettings(env));
  const { stacks, read, findings, isBlind } = await readStacks(selection, { project, alone, open });
  const providers = stacks.flatMap((each) => stackSettings(each, env));
  if (providers.length === 0) providers.push(environmentSettings(env));
  for (const settings of providers) for (const secret of secretsOf(settings)) registerSecret(secret);

  const managed = stacks.flatMap(({ name, deployment }) => stackResources(name, deployment));
  const comparing = { managed, providers, read, logger };
  const answers = await Promise.all(
    connectionsOf(providers).map((each) => connectionFindings(each, comparing)),
  );
  const found = [
    // A root cause is reported once.
    ...versions.filter(({ code }) => !findings.some((each) => each.code === code)),
    ...findings,
    ...stacks.flatMap(({ name, deployment }) => stateFindings(name, deployment)),
    // A stack that could not be read may have the setting.
    ...providers
      .flatMap((each) => settingFindings(each, knownServices(managedBy(each, comparing))))
      .filter(({ code }) => !isBlind || code !== "setting-missing"),
    ...answers.flat(),
    ...duplicatesInState(managed, providers),
  ];
  const names = stacks.map(({ name }) => name);
  return report(required.version, names, dedupe(found), sanitize);
}

/** What services are compared with. */
interface Comparing {
  readonly managed: readonly StackResource[];
  readonly providers: readonly ProviderSettings[];
  readonly read: StacksRead;
  readonly logger: Logger;
}

function managedBy(settings: ProviderSettings, { managed, providers }: Comparing): StackResource[] {
  return managed.filter((each) => settingsFor(each, providers) === settings);
}

/** What a service answers to one key, compared with what stacks manage there. */
async function connectionFindings(connection: Connection, comparing: Comparing): Promise<Finding[]> {
  const { endpoint, users } = connection;
  const { managed, providers, read, logger } = comparing;
  const stacks = [...new Set(users.flatMap(stacksOf))];
  const own = users
    .flatMap((each) => managedBy(each, comparing))
    .filter(({ resource }) => resource.service === endpoint.service);
  const { outcome, lists } = await queryService(connection, own, logger);
  const address = `${endpoint.service} ${endpoint.baseUrl}`;
  return [
    serviceFinding(stacks, endpoint, outcome),
    ...lists.flatMap((list) => {
      const isOfList = ({ resource }: StackResource) => resource === list.resource;
      const atService = managed.filter(
        (each) => isOfList(each) && serviceAddress(each, providers) === address,
      );
      const managedIds = new Set(atService.map(({ id }) => id));
      const comparison = { ...list, stacks, managed: own.filter(isOfList), managedIds };
      return recordFindings(comparison, read);
    }),
  ];
}

/** Two keys of one account show the same records, which are reported once. */
function dedupe(found: readonly Finding[]): Finding[] {
  const unique = new Map<string, Finding>();
  for (const each of found) {
    const { code, service, record, message, topic, stacks } = each;
    const id = JSON.stringify([code, service, record, message, topic === "records" ? [] : stacks]);
    if (!unique.has(id)) unique.set(id, each);
  }
  return [...unique.values()];
}
