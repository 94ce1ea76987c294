import type { Logger } from "../../provider/api/client";
import { registerSecret, sanitize } from "../../provider/api/redact";
import { EXPLICIT } from "../../provider/config/endpoint";
import { projectFolder } from "../pulumi/project";
import { isSecret, opened } from "../pulumi/secret";
import { nameOf } from "../pulumi/urn";
import { manifest } from "../version";
import { type Account, accountsOf, ask, servicesBeside } from "./accounts";
import { type Finding, type Report, report } from "./finding";
import { installedVersions } from "./installed";
import { recordFindings, twiceById, twiceByKey } from "./records";
import { serviceFinding } from "./services";
import { isUsable, settingFindings } from "./settings";
import {
  effective,
  environmentSetup,
  isUsedAnywhere,
  type Setup,
  secretsOf,
  stackSetup,
  stacksOf,
} from "./setup";
import { type OpenStack, type ReadStack, readStacks, type Wanted } from "./stacks";
import { type Held, heldBy, stateFindings } from "./state";
import { versionFindings } from "./versions";

/** Where the doctor looks; a test may say otherwise of each. */
export interface Surroundings {
  /** The folder that the command is run in. */
  readonly folder: string;
  readonly voice: Logger;
  readonly open?: OpenStack;
  readonly env?: NodeJS.ProcessEnv;
}

/** Looks at everything and changes nothing. */
export async function examine(wanted: Wanted, { folder, voice, open, env }: Surroundings): Promise<Report> {
  const needs = manifest();
  const project = projectFolder(folder);
  const installed = versionFindings(await installedVersions(project, open?.()), needs);
  const alone = isUsedAnywhere(environmentSetup(env));
  const { stacks, extent, findings, isBlind } = await readStacks(wanted, { project, alone, open });
  // Told already, where it is the root cause of all else.
  const versions = installed.filter(({ code }) => !findings.some((each) => each.code === code));
  const setups = stacks.length > 0 ? stacks.flatMap((each) => setupsOf(each, env)) : [environmentSetup(env)];
  for (const setup of setups) for (const secret of secretsOf(setup)) registerSecret(secret);

  const held = stacks.flatMap(({ name, deployment }) => heldBy(name, deployment));
  const under = (setup: Setup) => held.filter((each) => setup === setupOf(each, setups));
  const settings = setups
    .flatMap((setup) => settingFindings(setup, servicesBeside(under(setup))))
    // The stack that could not be read may have it.
    .filter(({ code }) => !isBlind || code !== "setting-missing");
  const accounts = accountsOf(setups, isUsable);
  const asked = await Promise.all(
    accounts.map(async (account) => answers(account, held, setups, extent, voice)),
  );
  const found: Finding[] = [
    ...versions,
    ...findings,
    ...stacks.flatMap(({ name, deployment }) => stateFindings(name, deployment)),
    ...settings,
    ...asked.flat(),
    ...groupedBy(held, (each) => placeOf(each, setups)).flatMap(twiceById),
    ...groupedBy(held, (each) => `${placeOf(each, setups)} ${keyOf(each, setups)}`).flatMap(twiceByKey),
  ];
  return report(
    needs.version,
    stacks.map(({ name }) => name),
    once(found),
    sanitize,
  );
}

/** What an account answers, beside what stacks hold of it. */
async function answers(
  account: Account,
  held: readonly Held[],
  setups: readonly Setup[],
  extent: Parameters<typeof recordFindings>[1],
  voice: Logger,
): Promise<Finding[]> {
  const { endpoint } = account;
  const stacks = [...new Set(account.setups.flatMap(stacksOf))];
  const own = held.filter((each) => {
    const setup = setupOf(each, setups);
    return each.resource.service === endpoint.service && account.setups.some((every) => every === setup);
  });
  const { outcome, listings } = await ask(account, own, voice);
  const title = servicesBeside([]).find(({ service }) => service === endpoint.service)?.title ?? "";
  const place = `${endpoint.service} ${endpoint.baseUrl}`;
  return [
    serviceFinding({ stacks, endpoint, title, outcome }),
    ...listings.flatMap((listing) => {
      const isIts = ({ resource }: Held) => resource === listing.resource;
      const there = held.filter((each) => isIts(each) && placeOf(each, setups) === place);
      const known = new Set(there.map(({ id }) => id));
      return recordFindings({ ...listing, stacks, held: own.filter(isIts), known }, extent);
    }),
  ];
}

/** A stack's own set-up, and one for each explicit provider in its state. */
function setupsOf({ name, config, deployment }: ReadStack, env: NodeJS.ProcessEnv | undefined): Setup[] {
  const explicit = (deployment.resources ?? []).filter(
    ({ type, inputs }) =>
      type === "pulumi:providers:pulumi-nodejs" && inputs?.[`tracking:${EXPLICIT}`] !== undefined,
  );
  return [
    stackSetup(name, config, env),
    ...explicit.map(({ urn, inputs = {} }): Setup => {
      const values = opened(inputs);
      const text = (key: string) => values[`tracking:${key}`];
      const clear = Object.keys(inputs).filter((key) => !isSecret(inputs[key]));
      return {
        stack: name,
        provider: { urn, name: nameOf(urn) },
        source: { get: (key) => (text(key) === undefined ? undefined : String(text(key))) },
        clear: clear.map((key) => key.replace(/^tracking:/, "")),
        unknown: [],
        env,
      };
    }),
  ];
}

function setupOf({ stack, provider }: Held, setups: readonly Setup[]): Setup | undefined {
  const ofStack = setups.filter((each) => each.stack === stack);
  return (
    ofStack.find((each) => each.provider?.urn === provider) ??
    ofStack.find((each) => each.provider === undefined)
  );
}

/** Where a held record is: its service's base URL, or, where that is not known, the stack itself. */
function placeOf(held: Held, setups: readonly Setup[]): string {
  const { service } = held.resource;
  const setup = setupOf(held, setups);
  const url = setup && effective(`${service}BaseUrl`, setup)?.text;
  return `${service} ${url?.replace(/\/+$/, "") ?? `of stack ${held.stack} ${held.provider}`}`;
}

function keyOf(held: Held, setups: readonly Setup[]): string {
  const setup = setupOf(held, setups);
  if (setup === undefined) return "";
  return (effective(`${held.resource.service}ApiKey`, setup) ?? effective("apiKey", setup))?.text ?? "";
}

function groupedBy<T>(all: readonly T[], by: (each: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const each of all) groups.set(by(each), [...(groups.get(by(each)) ?? []), each]);
  return [...groups.values()];
}

/** Two keys of one account show the same records: what is said of them is said once. */
function once(found: readonly Finding[]): Finding[] {
  const said = new Map<string, Finding>();
  for (const each of found) {
    const name = JSON.stringify([
      each.code,
      each.service,
      each.record,
      each.seen,
      each.topic === "records" ? [] : each.stacks,
    ]);
    if (!said.has(name)) said.set(name, each);
  }
  return [...said.values()];
}
