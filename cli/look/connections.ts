import { type Endpoint, endpoint, SettingError, type SettingsSource } from "../../provider/config";
import type { Service } from "../../provider/schema/resource";
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

/** A setting that is missing or wrong. */
export interface Mistake {
  readonly stacks: readonly string[];
  readonly label: string;
  readonly text: string;
}

/**
 * The connections of stacks' own providers and of each explicit one, or those of the environment, and which settings are
 * missing or wrong. A service without an address is unused, unless the stack has records there.
 */
export function connectionsOf(stacks: readonly ReadStack[]) {
  const users = stacks.flatMap(({ name, settings, deployment, records }) => [
    { stack: name, provider: undefined, source: settings, records },
    ...[...providersIn(deployment).explicit].map(([provider, source]) => ({
      stack: name,
      provider,
      source,
      records,
    })),
  ]);
  const environment = { stack: undefined, provider: undefined, source: settingsIn({}), records: [] };
  const found = (stacks.length > 0 ? users : [environment]).flatMap((user) =>
    (["analytics", "data", "market"] as const).flatMap((service) => connect(service, user)),
  );
  const mistakes = found.flatMap((each) => ("mistakes" in each ? each.mistakes : []));
  const made = found.flatMap((each) => ("mistakes" in each ? [] : each));
  // Each key of a service once.
  const groups = groupsBy(made, ({ endpoint: { service, account } }) => `${service} ${account}`);
  const connections = groups.map((group): Connection => {
    const all = group.flatMap(({ stacks: names }) => names);
    return { ...group[0], stacks: [...new Set(all)], users: group.flatMap((each) => each.users) };
  });
  return { connections, mistakes };
}

/** The one of a provider and a service, or what is wrong with its settings. */
function connect(
  service: Service,
  { source, records, ...user }: User & { source: SettingsSource; records: readonly HeldRecord[] },
): (Connection | { readonly mistakes: readonly Mistake[] })[] {
  const { stack, provider } = user;
  const isHeld = records.some((each) => each.provider === provider && each.resource.service === service);
  if (!isHeld && baseUrlFor({ service }, source) === undefined) return [];
  const stacks = stack === undefined ? [] : [stack];
  try {
    return [{ endpoint: endpoint(service, source), stacks, users: [user] }];
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    return [{ mistakes: error.mistakes.map(({ label, text }) => ({ stacks, label, text })) }];
  }
}
