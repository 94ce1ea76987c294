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

/** A provider that uses a service: an explicit one of a stack, or the stack's own. */
export interface ProviderOfStack {
  /** The stack's name; undefined if only the environment is read. */
  readonly stack: string | undefined;
  /** Its URN, if it is explicit. */
  readonly provider: string | undefined;
}

/** One service with one API key, and the providers that use it. */
export interface Connection {
  readonly endpoint: Endpoint;
  /** The names of the stacks; empty if only the environment is read. */
  readonly stacks: readonly string[];
  readonly providers: readonly ProviderOfStack[];
}

/**
 * Returns the connections of the stacks' own providers and of each explicit one, or those of the environment; the settings
 * that are missing or wrong; and the stacks that use no service (`idleStacks`). A stack does not use a service without an
 * address: one with websites only needs no `dataBaseUrl`. If it has records there, the address is missing.
 */
export function connectionsOf(read?: readonly ReadStack[]) {
  const made: Connection[] = [];
  const mistakes: (SettingMistake & Pick<Connection, "stacks">)[] = [];
  const idleStacks: ReadStack[] = [];
  const connect = (source: SettingsSource, user: ProviderOfStack, records: readonly HeldRecord[] = []) => {
    const stacks = user.stack === undefined ? [] : [user.stack];
    for (const service of ["analytics", "data", "market"] as const)
      try {
        const isThere = (record: HeldRecord) =>
          record.provider === user.provider && record.resource.service === service;
        if (baseUrlFor({ service }, source) !== undefined || records.some(isThere))
          made.push({ endpoint: endpoint(service, source), stacks, providers: [user] });
      } catch (error) {
        if (!(error instanceof SettingError)) throw error;
        mistakes.push(...error.mistakes.map((mistake) => ({ ...mistake, stacks })));
      }
  };
  for (const stack of read ?? []) {
    const { name, settings, deployment, records } = stack;
    const before = made.length + mistakes.length;
    connect(settings, { stack: name, provider: undefined }, records);
    for (const [provider, source] of providersIn(deployment).explicit)
      connect(source, { stack: name, provider }, records);
    if (made.length + mistakes.length === before) idleStacks.push(stack);
  }
  if (read === undefined) connect(settingsIn({}), { stack: undefined, provider: undefined });
  // Stacks with the same API key of a service share a connection: its list is read once.
  const groups = groupsBy(made, ({ endpoint: { service, account } }) => `${service} ${account}`);
  const connections = groups.map(
    (group): Connection => ({
      endpoint: group[0].endpoint,
      stacks: [...new Set(group.flatMap(({ stacks }) => stacks))],
      providers: group.flatMap(({ providers }) => providers),
    }),
  );
  return { connections, mistakes, idleStacks };
}
