import type { Logger } from "../../provider/api/client";
import { manifest } from "../manifest";
import { projectFolder } from "../pulumi/project";
import { Stack } from "../pulumi/stack";
import { installationFindings } from "./installation";
import { programFindings } from "./program";
import {
  configFindings,
  environmentProvider,
  providersOf,
  services,
  settingFindings,
  textOf,
} from "./providers";
import { type Finding, type Report, report } from "./report";
import { connectionsOf, serviceFindings } from "./service";
import { type OpenStack, readStacks, type StackSelection } from "./stacks";
import { managedTwice, pendingOperations, type StackResource } from "./state";

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
  { folder, logger, open = (name) => new Stack(name), env }: DoctorContext,
): Promise<Report> {
  const project = projectFolder(folder);
  const installation = await installationFindings(project, open());
  const environment = environmentProvider(env);
  const alone = services.some((service) => textOf(`${service}BaseUrl`, environment) !== undefined);
  const { stacks, findings: unread } = await readStacks(selection, { project, alone, open });
  const isUnread = unread.some(({ severity }) => severity === "error");
  // Settings of a stack that could not be read are unknown, so the environment's mean nothing without them.
  const fallback = isUnread ? [] : [environment];
  const providers = stacks.length === 0 ? fallback : stacks.flatMap((each) => providersOf(each, env));

  const addresses = new Map<StackResource, string>();
  for (const provider of providers)
    for (const each of provider.resources) {
      const { service } = each.resource;
      const url = textOf(`${service}BaseUrl`, provider)?.replace(/\/+$/, "");
      addresses.set(each, `${service} ${url ?? `of stack ${each.stack} ${each.provider}`}`);
    }
  const held = [...addresses.keys()];
  const current = held.filter(({ isLeaving }) => !isLeaving);
  const read = stacks.length === 0 ? "none" : selection.all && !isUnread ? "all" : "some";
  const answers = connectionsOf(providers).map((each) => {
    const address = `${each.endpoint.service} ${each.endpoint.baseUrl}`;
    const there = held.filter((own) => addresses.get(own) === address);
    return serviceFindings(each, { there, read }, logger);
  });
  const found: Finding[] = [
    ...unread,
    ...installation,
    ...stacks.flatMap(configFindings),
    ...providers.flatMap(settingFindings),
    ...stacks.flatMap(({ name, deployment }) => pendingOperations(name, deployment)),
    ...managedTwice(current, (each) => addresses.get(each)),
    ...(await Promise.all(answers)).flat(),
  ];
  // A preview tells something only if all that it needs works.
  if (project !== undefined && !found.some(({ severity }) => severity === "error"))
    for (const { name, stack } of stacks) {
      const own = current.filter((each) => each.stack === name);
      if (own.length > 0) found.push(...(await programFindings(stack, own, project)));
    }
  return report(
    manifest().version,
    stacks.map(({ name }) => name),
    found,
  );
}
