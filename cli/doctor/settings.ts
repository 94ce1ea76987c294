import {
  type Endpoint,
  endpoint,
  SettingError,
  type SettingsSource,
  settingNames,
} from "../../provider/config";
import type { Service } from "../../provider/schema/resource";
import { closest } from "../../provider/schema/suggest";
import type { Config, Deployment } from "../pulumi/json-output";
import { type Stack, settingsIn } from "../pulumi/stack";
import { baseUrlFor, explicitProviders } from "../stack-records";
import type { Finding } from "./report";
import type { StackRecord } from "./state";

/** A stack's config and state, secrets opened. */
export interface ReadStack {
  readonly name: string;
  readonly stack: Stack;
  readonly config: Config;
  /** Those of its own provider. */
  readonly settings: SettingsSource;
  readonly deployment: Deployment;
  readonly records: readonly StackRecord[];
  /** It belongs to another project, whose program is not here. */
  readonly isForeign: boolean;
}

/** One service with one key, and the records that stacks manage there. */
export interface Connection {
  readonly endpoint: Endpoint;
  /** The names of the stacks; empty if only the environment is read. */
  readonly stacks: readonly string[];
  readonly records: readonly StackRecord[];
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
  const sources: [string | undefined, SettingsSource][] = [
    [undefined, settings],
    ...explicitProviders(deployment),
  ];
  const services = ["analytics", "data", "market"] as const;
  for (const [urn, source] of sources)
    for (const service of services) {
      const held = records.filter((each) => each.provider === urn && each.resource.service === service);
      if (held.length === 0 && baseUrlFor({ service }, source) === undefined) continue;
      const connected = endpointOrProblems(service, source, stacks);
      if ("found" in connected) found.push(...connected.found);
      else connections.push({ ...connected, stacks, records: held });
    }
  return { connections, found, isUsed: connections.length + found.length > 0 };
}

/** A service's settings, or what is wrong with them. */
function endpointOrProblems(service: Service, source: SettingsSource, stacks: readonly string[]) {
  try {
    return { endpoint: endpoint(service, source) };
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const about = { severity: "error", code: "setting-invalid", stacks } as const;
    const found = error.problems.map(
      ({ label, text }): Finding => ({ ...about, message: text, remedy: `Set ${label}` }),
    );
    return { found };
  }
}

/** Checks what a stack's config has under `tracking:`: keys in plain text, and names that are no setting. */
export function configFindings({ name, config }: ReadStack): Finding[] {
  const known = settingNames.map((each) => `tracking:${each}`);
  const about = { severity: "warning", stacks: [name] } as const;
  return Object.entries(config).flatMap(([key, { secret, value }]): Finding | [] => {
    if (!key.startsWith("tracking:")) return [];
    if (!known.includes(key)) {
      const meant = closest(key, known);
      const remedy = `Run "pulumi config rm ${key}"${meant === undefined ? "" : `, and set ${meant}`}`;
      const message = `${key} is not a setting, and is ignored`;
      return { ...about, code: "setting-unknown", message, remedy };
    }
    if (secret || !value || !/apiKey$/i.test(key)) return [];
    const message = `${key} is stored in plain text, not as a secret`;
    const remedy = `Generate a new key, because this one could be read, and run "pulumi config set --secret ${key}"`;
    return { ...about, code: "plaintext-key", message, remedy };
  });
}
