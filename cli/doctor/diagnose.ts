import type { Logger } from "../../provider/api/client";
import { registerSecret, sanitize } from "../../provider/api/redact";
import { EXPLICIT } from "../../provider/config/endpoint";
import { manifest } from "../manifest";
import { projectFolder } from "../pulumi/project";
import { isSecret, unwrapSecrets } from "../pulumi/secret";
import { nameOf } from "../pulumi/urn";
import { type Connection, connectionsOf, knownServices, queryService } from "./accounts";
import { type Finding, type Report, report } from "./finding";
import { installedVersions } from "./installed";
import {
  effective,
  environmentSettings,
  isUsedAnywhere,
  type ProviderSettings,
  secretsOf,
  stackSettings,
  stacksOf,
} from "./provider-settings";
import { managedTwice, recordFindings, sameKeyTwice } from "./records";
import { serviceFinding } from "./services";
import { isUsable, settingFindings } from "./settings";
import { type OpenStack, type ReadStack, readStacks, type StackSelection } from "./stacks";
import { type StackResource, stackResources, stateFindings } from "./state";
import { versionFindings } from "./versions";

/** Where the doctor looks; a test may say otherwise of each. */
export interface DoctorContext {
  /** The folder that the command is run in. */
  readonly folder: string;
  readonly voice: Logger;
  readonly open?: OpenStack;
  readonly env?: NodeJS.ProcessEnv;
}

/** Looks at everything and changes nothing. */
export async function diagnose(
  wanted: StackSelection,
  { folder, voice, open, env }: DoctorContext,
): Promise<Report> {
  const needs = manifest();
  const project = projectFolder(folder);
  const installed = versionFindings(await installedVersions(project, open?.()), needs);
  const alone = isUsedAnywhere(environmentSettings(env));
  const { stacks, extent, findings, isBlind } = await readStacks(wanted, { project, alone, open });
  // Told already, where it is the root cause of all else.
  const versions = installed.filter(({ code }) => !findings.some((each) => each.code === code));
  const setups =
    stacks.length > 0 ? stacks.flatMap((each) => providerSettings(each, env)) : [environmentSettings(env)];
  for (const setup of setups) for (const secret of secretsOf(setup)) registerSecret(secret);

  const held = stacks.flatMap(({ name, deployment }) => stackResources(name, deployment));
  const under = (setup: ProviderSettings) => held.filter((each) => setup === settingsFor(each, setups));
  const settings = setups
    .flatMap((setup) => settingFindings(setup, knownServices(under(setup))))
    // The stack that could not be read may have it.
    .filter(({ code }) => !isBlind || code !== "setting-missing");
  const accounts = connectionsOf(setups, isUsable);
  const asked = await Promise.all(
    accounts.map(async (account) => connectionFindings(account, held, setups, extent, voice)),
  );
  const found: Finding[] = [
    ...versions,
    ...findings,
    ...stacks.flatMap(({ name, deployment }) => stateFindings(name, deployment)),
    ...settings,
    ...asked.flat(),
    ...groupBy(held, (each) => placeOf(each, setups)).flatMap(managedTwice),
    ...groupBy(held, (each) => `${placeOf(each, setups)} ${keyOf(each, setups)}`).flatMap(sameKeyTwice),
  ];
  return report(
    needs.version,
    stacks.map(({ name }) => name),
    dedupe(found),
    sanitize,
  );
}

/** What an account answers, beside what stacks hold of it. */
async function connectionFindings(
  account: Connection,
  held: readonly StackResource[],
  setups: readonly ProviderSettings[],
  extent: Parameters<typeof recordFindings>[1],
  voice: Logger,
): Promise<Finding[]> {
  const { endpoint } = account;
  const stacks = [...new Set(account.users.flatMap(stacksOf))];
  const own = held.filter((each) => {
    const setup = settingsFor(each, setups);
    return each.resource.service === endpoint.service && account.users.some((every) => every === setup);
  });
  const { outcome, listings } = await queryService(account, own, voice);
  const title = knownServices([]).find(({ service }) => service === endpoint.service)?.title ?? "";
  const place = `${endpoint.service} ${endpoint.baseUrl}`;
  return [
    serviceFinding({ stacks, endpoint, title, outcome }),
    ...listings.flatMap((listing) => {
      const isIts = ({ resource }: StackResource) => resource === listing.resource;
      const there = held.filter((each) => isIts(each) && placeOf(each, setups) === place);
      const known = new Set(there.map(({ id }) => id));
      return recordFindings({ ...listing, stacks, held: own.filter(isIts), known }, extent);
    }),
  ];
}

/** A stack's own set-up, and one for each explicit provider in its state. */
function providerSettings(
  { name, config, deployment }: ReadStack,
  env: NodeJS.ProcessEnv | undefined,
): ProviderSettings[] {
  const explicit = (deployment.resources ?? []).filter(
    ({ type, inputs }) =>
      type === "pulumi:providers:pulumi-nodejs" && inputs?.[`tracking:${EXPLICIT}`] !== undefined,
  );
  return [
    stackSettings(name, config, env),
    ...explicit.map(({ urn, inputs = {} }): ProviderSettings => {
      const values = unwrapSecrets(inputs);
      const text = (key: string) => values[`tracking:${key}`];
      const clear = Object.keys(inputs).filter((key) => !isSecret(inputs[key]));
      return {
        stack: name,
        provider: { urn, name: nameOf(urn) },
        source: { get: (key) => (text(key) === undefined ? undefined : String(text(key))) },
        plaintext: clear.map((key) => key.replace(/^tracking:/, "")),
        unknown: [],
        env,
      };
    }),
  ];
}

function settingsFor(
  { stack, provider }: StackResource,
  setups: readonly ProviderSettings[],
): ProviderSettings | undefined {
  const ofStack = setups.filter((each) => each.stack === stack);
  return (
    ofStack.find((each) => each.provider?.urn === provider) ??
    ofStack.find((each) => each.provider === undefined)
  );
}

/** Where a held record is: its service's base URL, or, where that is not known, the stack itself. */
function placeOf(held: StackResource, setups: readonly ProviderSettings[]): string {
  const { service } = held.resource;
  const setup = settingsFor(held, setups);
  const url = setup && effective(`${service}BaseUrl`, setup)?.text;
  return `${service} ${url?.replace(/\/+$/, "") ?? `of stack ${held.stack} ${held.provider}`}`;
}

function keyOf(held: StackResource, setups: readonly ProviderSettings[]): string {
  const setup = settingsFor(held, setups);
  if (setup === undefined) return "";
  return (effective(`${held.resource.service}ApiKey`, setup) ?? effective("apiKey", setup))?.text ?? "";
}

function groupBy<T>(all: readonly T[], by: (each: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const each of all) groups.set(by(each), [...(groups.get(by(each)) ?? []), each]);
  return [...groups.values()];
}

/** Two keys of one account show the same records: what is said of them is said once. */
function dedupe(found: readonly Finding[]): Finding[] {
  const said = new Map<string, Finding>();
  for (const each of found) {
    const name = JSON.stringify([
      each.code,
      each.service,
      each.record,
      each.message,
      each.topic === "records" ? [] : each.stacks,
    ]);
    if (!said.has(name)) said.set(name, each);
  }
  return [...said.values()];
}
