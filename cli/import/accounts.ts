import { SettingsReader, type SettingsSource } from "../../provider/config";
import { parseUrn } from "../../provider/hosts/urn";
import type { Resource } from "../../provider/schema/resource";
import { CommandFailure } from "../failure";
import { baseUrlFor, providersIn } from "../look/held";
import { recordsBy, type ServiceRecords } from "../look/service";
import { isHidden } from "../pulumi/hidden";
import type { Deployment, StackResource } from "../pulumi/json-output";
import { shellQuote } from "../shell-quote";

/** The account that a provider's settings lead to. */
export interface Account {
  readonly source: SettingsSource;
  readonly records: ServiceRecords;
  /**
   * The reason why its records can't be read: no `up` has stored the secrets of an explicit provider that is new in the program.
   */
  readonly failure?: CommandFailure;
}

/** The accounts of a stack's providers. */
export interface Accounts {
  readonly own: Account;
  /** The account of the provider with this URN; without one, or for a default provider, the stack's own. */
  of(provider?: string): Account;
}

/** Returns the account of an explicit provider, or undefined if this is none. */
function explicitAccount(
  urn: string,
  planned: readonly StackResource[],
  { resources = [] }: Deployment,
  print: (line: string) => void,
): Account | undefined {
  const inState = resources.find((resource) => resource.urn === urn);
  const provider = planned.find((resource) => resource.urn === urn) ?? inState;
  if (provider === undefined) return undefined;
  // A preview hides secrets; the state has them.
  const settings = Object.entries(provider.inputs ?? {}).map(([name, value]) => {
    return [name, isHidden(value) ? inState?.inputs?.[name] : value];
  });
  const opened = { ...provider, inputs: Object.fromEntries(settings) };
  const source = providersIn({ resources: [opened] }).explicit.get(urn);
  if (source === undefined) return undefined;
  const account = { source, records: recordsBy(source, { warn: print, debug: print }) };
  if (settings.every(([, value]) => value !== undefined)) return account;
  const failure = new CommandFailure(
    `the secrets of the provider "${parseUrn(urn).name}" are not in the stack yet`,
    `Run "pulumi up --target ${shellQuote(urn)}", which creates that provider alone, then run this again`,
  );
  return { ...account, failure };
}

/**
 * Returns the accounts that a stack's providers lead to.
 *
 * @param planned what the program declares, with the settings that its providers have now
 * @param deployment the stack, which alone has their secrets
 */
export function accountsOf(
  own: Account,
  planned: readonly StackResource[],
  deployment: Deployment,
  print: (line: string) => void,
): Accounts {
  const accounts = new Map<string, Account>();
  const of = (provider = ""): Account => {
    const account = accounts.get(provider) ?? explicitAccount(provider, planned, deployment, print) ?? own;
    accounts.set(provider, account);
    return account;
  };
  return { own, of };
}

/** What identifies an account: the address of a resource's service, and the API key, as for the provider. */
export function identityOf(resource: Resource, { source }: Account): string {
  const settings = new SettingsReader(source);
  const key = settings.text(`${resource.service}ApiKey`) ?? settings.text("apiKey");
  return JSON.stringify([baseUrlFor(resource, source), key]);
}

/**
 * Whether both are one account of a service. If the API key of one is not known yet, whether they may be: the addresses are
 * one. Else the file would declare a record that the program declares already, and two resources would manage it.
 */
export function mayBeSame(resource: Resource, one: Account, other: Account): boolean {
  if (one.failure === undefined) return identityOf(resource, one) === identityOf(resource, other);
  return baseUrlFor(resource, one.source) === baseUrlFor(resource, other.source);
}
