import {
  type Endpoint,
  endpoint,
  SettingError,
  type SettingMistake,
  type SettingsSource,
} from "../../provider/config";
import { groupsBy } from "../alike";
import { settingsIn } from "../pulumi/stack";
import { baseUrlFor, type HeldRecord, providersIn } from "./held";
import type { ReadStack } from "./stacks";

/** A provider that uses a service: an explicit one of a stack, the stack's own, or the environment's. */
export interface User {
  readonly stack: string | undefined;
  /** Its URN, if it is explicit. */
  readonly provider: string | undefined;
}

/** One service with one key, and who uses it. */
export interface Connection {
  readonly endpoint: Endpoint;
  /** The names of the stacks; empty if only the environment is read. */
  readonly stacks: readonly string[];
  readonly users: readonly User[];
}

/**
 * The connections of stacks' own providers and of each explicit one, or those of the environment, which settings are
 * missing or wrong, and the stacks that use no service. A service without an address is unused, unless the stack has records
 * there.
 */
export function connectionsOf(read?: readonly ReadStack[]) {
  const made: Connection[] = [];
  const mistakes: (SettingMistake & Pick<Connection, "stacks">)[] = [];
  const idle: ReadStack[] = [];
  const connect = (source: SettingsSource, user: User, records: readonly HeldRecord[] = []) => {
    const stacks = user.stack === undefined ? [] : [user.stack];
    for (const service of ["analytics", "data", "market"] as const)
      try {
        const isOwn = (each: HeldRecord) =>
          each.provider === user.provider && each.resource.service === service;
        if (baseUrlFor({ service }, source) !== undefined || records.some(isOwn))
          made.push({ endpoint: endpoint(service, source), stacks, users: [user] });
      } catch (error) {
        if (!(error instanceof SettingError)) throw error;
        mistakes.push(...error.mistakes.map((each) => ({ ...each, stacks })));
      }
  };
  for (const each of read ?? []) {
    const { name: stack, settings, deployment, records } = each;
    const before = made.length + mistakes.length;
    connect(settings, { stack, provider: undefined }, records);
    for (const [provider, source] of providersIn(deployment).explicit)
      connect(source, { stack, provider }, records);
    if (made.length + mistakes.length === before) idle.push(each);
  }
  if (read === undefined) connect(settingsIn({}), { stack: undefined, provider: undefined });
  // Each key of a service once.
  const groups = groupsBy(made, ({ endpoint: { service, account } }) => `${service} ${account}`);
  const connections = groups.map(
    (group): Connection => ({
      endpoint: group[0].endpoint,
      stacks: [...new Set(group.flatMap(({ stacks }) => stacks))],
      users: group.flatMap(({ users }) => users),
    }),
  );
  return { connections, mistakes, idle };
}
