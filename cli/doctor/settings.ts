import {
  type Endpoint,
  endpoint,
  SettingError,
  type SettingsSource,
  secretSettings,
  settingNames,
} from "../../provider/config";
import { suggest } from "../../provider/schema/suggest";
import type { Config, Deployment } from "../pulumi/json-output";
import { type Stack, settingsIn } from "../pulumi/stack";
import { baseUrlFor, type HeldRecord, providersIn } from "../stack-records";
import type { Finding } from "./report";

/** A stack's config and state, secrets opened. */
export interface ReadStack {
  readonly name: string;
  readonly stack: Stack;
  readonly config: Config;
  /** Those of its own provider. */
  readonly settings: SettingsSource;
  readonly deployment: Deployment;
  readonly records: readonly HeldRecord[];
  /** It belongs to another project, whose program is not here. */
  readonly isForeign: boolean;
}

/** One service with one key, and the records that stacks manage there. */
export interface Connection {
  readonly endpoint: Endpoint;
  /** The names of the stacks; empty if only the environment is read. */
  readonly stacks: readonly string[];
  readonly records: readonly HeldRecord[];
}

/**
 * The connections of a stack's own provider and of each explicit one; without a stack, those of the environment. Reports
 * missing and wrong settings. A service without an address is unused, unless the stack has records there.
 */
export function connect(stack: ReadStack | undefined) {
  const { settings = settingsIn({}), deployment = {}, records = [] } = stack ?? {};
  const stacks = stack === undefined ? [] : [stack.name];
  const connections: Connection[] = [];
  const found: Finding[] = [];
  const sources = [[undefined, settings] as const, ...providersIn(deployment).explicit];
  const services = ["analytics", "data", "market"] as const;
  const all = sources.flatMap((each) => services.map((service) => [service, ...each] as const));
  for (const [service, urn, source] of all) {
    const held = records.filter((each) => each.provider === urn && each.resource.service === service);
    if (held.length === 0 && baseUrlFor({ service }, source) === undefined) continue;
    try {
      connections.push({ endpoint: endpoint(service, source), stacks, records: held });
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      const about = { severity: "error", code: "setting-invalid", stacks } as const;
      for (const { label, text: message } of error.mistakes)
        found.push({ ...about, message, remedy: `Set ${label}` });
    }
  }
  return { connections, found, isUsed: connections.length + found.length > 0 };
}

/**
 * Reports names under `tracking:` in a stack's config that are no setting, keys that are no secret there, and settings
 * that have changed since the last `up`.
 */
export function configFindings({ name, config, settings, deployment }: ReadStack): Finding[] {
  const known = settingNames.map((each) => `tracking:${each}`);
  const about = { severity: "warning", stacks: [name] } as const;
  const unknown = Object.keys(config).filter((key) => key.startsWith("tracking:") && !known.includes(key));
  const last = providersIn(deployment).own;
  const changed = settingNames.filter((each) => {
    const [before, now] = [last.get(each), settings.get(each)];
    return before !== undefined && now !== undefined && before !== now;
  });
  const open = secretSettings.filter((each) => config[`tracking:${each}`]?.secret === false);
  return [
    ...unknown.map((key) => ({
      ...about,
      code: "setting-unknown",
      message: `${key} is not a setting, and is ignored${suggest(key, known)}`,
      remedy: `Run "pulumi config rm ${key}"`,
    })),
    ...changed.map((each) => ({
      ...about,
      severity: "info" as const,
      code: "setting-changed",
      message: `Until the next "pulumi up", "pulumi refresh" and "pulumi destroy" use the tracking:${each} of the last one, unless with --run-program`,
    })),
    ...open.map((each) => ({
      ...about,
      code: "setting-unencrypted",
      message: `tracking:${each} stands in the stack's config as plain text`,
      remedy: `Run "pulumi config set --secret tracking:${each}" with a new key, and revoke this one if it is in git`,
    })),
  ];
}
