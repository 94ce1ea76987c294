import {
  type Endpoint,
  endpoint,
  SettingError,
  type SettingProblem,
  type SettingsSource,
  settingNames,
} from "../../provider/config";
import type { Service } from "../../provider/schema/resource";
import { closest } from "../../provider/schema/suggest";
import type { Config, Deployment } from "../pulumi/json-output";
import { type Stack, settingsIn } from "../pulumi/stack";
import { baseUrlFor, explicitProviders, heldRecords, providerUrn, resourceOfType } from "../stack-records";
import { type Finding, finding } from "./report";
import type { StackRecord } from "./state";

/** A stack's config and state, secrets opened. */
export interface ReadStack {
  readonly name: string;
  readonly stack: Stack;
  readonly config: Config;
  readonly deployment: Deployment;
}

/** One service, as one provider's settings connect to it, and the records that stacks manage there. */
export interface Connection {
  readonly service: Service;
  /** The names of the stacks; empty if only the environment is read. */
  readonly stacks: readonly string[];
  /** Its base URL, valid or not. */
  readonly address: string | undefined;
  /** All settings; nothing if one is missing or invalid. */
  readonly endpoint?: Endpoint;
  readonly problems: readonly SettingProblem[];
  readonly records: readonly StackRecord[];
  /** The stack has resources of ours, and all of them use other providers. */
  readonly isIdle: boolean;
}

/** The connections of a stack's own provider and of each explicit one; without a stack, those of the environment. */
export function connectionsOf(
  stack: ReadStack | undefined,
  env: NodeJS.ProcessEnv | undefined,
): Connection[] {
  const { name = "", config = {}, deployment = {} } = stack ?? {};
  const own = settingsIn(config);
  const held = heldRecords(deployment, own, env).map((each) => ({ ...each, stack: name }));
  const explicit = explicitProviders(deployment);
  const providers: [string | undefined, SettingsSource][] = [[undefined, own], ...explicit];
  const ours = (deployment.resources ?? []).filter(({ type }) => resourceOfType(type));
  const used = ours.map((each) => [providerUrn(each)].find((urn) => explicit.has(urn)));
  return providers.flatMap(([urn, source]) =>
    (["analytics", "data", "market"] as const).map((service) => {
      const connection = {
        service,
        stacks: stack === undefined ? [] : [name],
        address: baseUrlFor({ service }, source, env),
        records: held.filter(({ provider, resource }) => provider === urn && resource.service === service),
        isIdle: used.length > 0 && !used.includes(urn),
      };
      try {
        return { ...connection, endpoint: endpoint(service, source, env), problems: [] };
      } catch (error) {
        if (!(error instanceof SettingError)) throw error;
        return { ...connection, problems: error.problems };
      }
    }),
  );
}

/** The missing and wrong settings of a connection. It is unused without an address, unless a stack has records. */
export function settingFindings(connection: Connection): Finding[] {
  const { service, stacks, address, problems, records, isIdle } = connection;
  if (address === undefined && records.length === 0) return [];
  return problems.map(({ label, text }) => {
    const [, missing, how = ""] = /^(.*? is missing): (.*)$/.exec(text) ?? [];
    return missing === undefined
      ? finding("error", "setting-invalid", { stacks }, text, `Correct ${label}`)
      : finding(
          isIdle ? "warning" : "error",
          "setting-missing",
          { stacks, service },
          capitalized(missing),
          capitalized(how),
        );
  });
}

/** A clause as the beginning of a sentence. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Checks what a stack's config has under `tracking:`: keys in plain text, and names that are no setting. */
export function configFindings({ name, config }: ReadStack): Finding[] {
  const known = settingNames.map((each) => `tracking:${each}`);
  const about = { stacks: [name] };
  return Object.entries(config).flatMap(([key, { secret, value }]) => {
    if (!key.startsWith("tracking:")) return [];
    if (!known.includes(key)) {
      const meant = closest(key, known);
      const remedy = `Run "pulumi config rm ${key}"${meant === undefined ? "" : `, and set ${meant}`}`;
      return finding("warning", "setting-unknown", about, `${key} is not a setting, and is ignored`, remedy);
    }
    if (secret || !value || !/apiKey$/i.test(key)) return [];
    const message = `${key} is stored in plain text, not as a secret`;
    const remedy = `Generate a new key, because this one could be read, and run "pulumi config set --secret ${key}"`;
    return finding("warning", "plaintext-key", about, message, remedy);
  });
}
