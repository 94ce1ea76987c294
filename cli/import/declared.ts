import type { SettingsSource } from "../../provider/config";
import { parseUrn } from "../../provider/hosts/urn";
import type { Resource } from "../../provider/schema/resource";
import { firstOf, groupsBy } from "../alike";
import { CommandFailure } from "../failure";
import { heldRecords, providersIn, resourceOfType } from "../look/held";
import { recordsBy } from "../look/service";
import type { Deployment, StackResource } from "../pulumi/json-output";
import { isHidden } from "../pulumi/program";
import { shellQuote } from "../shell-quote";
import { matchDeclared, type ServiceFor } from "./match-declared";
import { endangered, endangeredFailure } from "./preview-after-import";
import { importEntries } from "./pulumi-import";
import { refuseRedeclared } from "./redeclared";
import type { ImportRun, Inventory } from "./run";

/**
 * Imports the records that the program declares and the stack does not manage.
 *
 * @param read.isSelected if only some are to be imported: whether one of these, by its domain or name
 */
export async function importDeclared(
  run: ImportRun,
  read: Inventory & { readonly isSelected?: (resource: Resource, key: string) => boolean },
): Promise<void> {
  const { print } = run;
  const { settings, service, deployment, program, isSelected } = read;
  const services = new Map<string, ReturnType<ServiceFor>>();
  const serviceFor: ServiceFor = (urn) => {
    const known = services.get(urn);
    if (known !== undefined) return known;
    const source = settingsOf(urn, program.planned, deployment);
    const found =
      source === undefined
        ? { source: settings, service }
        : { source, service: recordsBy(source, { warn: print, debug: print }) };
    services.set(urn, found);
    return found;
  };
  const held = heldRecords(deployment, settings);
  refuseRedeclared(held, program);
  if (program.file === undefined) throw endangeredFailure(endangered(deployment, program));
  const creates = program.creates.filter(({ type, inputs = {} }) => {
    const resource = resourceOfType(type);
    return resource === undefined || (isSelected?.(resource, String(inputs[resource.key])) ?? true);
  });
  const wanted = { keeps: program.keeps, creates };
  const { notes, count, file } = await matchDeclared(wanted, program.file, held, serviceFor);
  for (const group of groupsBy(notes, ({ code }) => code)) {
    const texts = group.map(({ text }) => text);
    for (const line of firstOf(texts, (others) => `… and ${others} more of this kind.`)) print(line);
  }
  if (count > 0 && (await importEntries(file, run)))
    print(`${count} imported. "pulumi preview" shows what is left to change.`);
  const open = notes.filter(({ isOpen }) => isOpen).length;
  if (open > 0)
    throw new CommandFailure(
      `Of the resources that the program declares, ${open} can't be imported`,
      "Do what their lines above say, and run this again",
    );
  if (count === 0) print("Nothing to import: the stack has every declared record that can be imported.");
  // What it replaces, it says itself.
  const declared = new Set(program.planned.map(({ urn }) => urn));
  const lost = endangered(deployment, program).filter(({ urn }) => !declared.has(urn));
  if (lost.length > 0) throw endangeredFailure(lost);
}

/**
 * The settings of a declared explicit provider; nothing for the stack's own. Only state has a provider's secrets; throws
 * a `CommandFailure` if it does not have them yet.
 */
function settingsOf(
  urn: string,
  planned: readonly StackResource[],
  { resources = [] }: Deployment,
): SettingsSource | undefined {
  const held = resources.find((each) => each.urn === urn);
  const provider = planned.find((each) => each.urn === urn) ?? held;
  if (provider === undefined) return undefined;
  const open = (name: string, value: unknown) => (isHidden(value) ? held?.inputs?.[name] : value);
  const known = Object.entries(provider.inputs ?? {}).map(([name, value]) => [name, open(name, value)]);
  const opened = { ...provider, inputs: Object.fromEntries(known) };
  const source = providersIn({ resources: [opened] }).explicit.get(urn);
  if (source === undefined || known.every(([, value]) => value !== undefined)) return source;
  throw new CommandFailure(
    `Nothing is imported: the secrets of the provider "${parseUrn(urn).name}" are not in the stack yet`,
    `Run "pulumi up --target ${shellQuote(urn)}", which creates that provider alone, then run this again`,
  );
}
