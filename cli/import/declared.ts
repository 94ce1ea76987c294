import { endpoint, type SettingsSource } from "../../provider/config";
import { parseUrn } from "../../provider/hosts/urn";
import { DROP } from "../../provider/lifecycle/errors";
import { enumerate, groupsBy, shortened } from "../alike";
import { CommandFailure } from "../failure";
import type { Deployment, StackResource } from "../pulumi/json-output";
import { type Preview, previewProgram } from "../pulumi/preview";
import { requireProject } from "../pulumi/project";
import { settingsIn } from "../pulumi/stack";
import { refuseRenamed } from "../renamed";
import { recordsBy, type ServiceRecords } from "../service-records";
import { shellQuote } from "../shell-quote";
import { dropCommand, heldRecords, LET_GO, providersIn, unwrapSecrets } from "../stack-records";
import { type Doubt, matchDeclared, type ServiceFor } from "./match-declared";
import { setIds } from "./new-ids";
import { importEntries } from "./pulumi-import";
import type { ImportRun } from "./run";

/** Imports the records that the program declares and the stack does not manage. */
export async function importDeclared(run: ImportRun): Promise<void> {
  const { folder, stack, terminal } = run;
  await requireProject(folder);
  await stack.requireImportSupport();
  const own = settingsIn(await stack.config());
  const { count } = await importPlanned(run, own, recordsBy(own, terminal.print));
  if (count === 0)
    terminal.print("Nothing to import: the stack has every declared record that can be imported.");
}

/**
 * Runs the program, and imports what it declares, under the names that the engine registers.
 *
 * @param own the settings of the stack's own provider, and the records to which they lead
 */
export async function importPlanned(run: ImportRun, own: SettingsSource, records: ServiceRecords) {
  const { options, stack } = run;
  const { print } = run.terminal;
  print("Running the program to see what it declares ...");
  const preview = await previewProgram(stack, true);
  const deployment = await stack.deployment();
  const services = new Map<string, ReturnType<ServiceFor>>();
  const serviceFor: ServiceFor = (urn) => {
    const known = services.get(urn);
    if (known !== undefined) return known;
    const source = settingsOf(urn, preview.planned, deployment);
    const service = source === undefined ? records : recordsBy(source, print);
    const found = { source: source ?? own, service };
    services.set(urn, found);
    return found;
  };
  const held = heldRecords(deployment, own);
  refuseRenamed(held, preview);
  const lost = undeclared(deployment, preview);
  // If nothing was declared by a person, an up after exit code 0 deletes nothing.
  if (preview.file === undefined || (options.apply && !options.declared && lost.length > 0))
    throw undeclaredFailure(lost);
  const { notes, doubt, newIds, count, file, places } = await matchDeclared(
    preview,
    preview.file,
    held,
    serviceFor,
  );
  const rest = (more: number) => `… and ${more} more of this kind.`;
  const groups = groupsBy(notes, ({ code }) => code).map((alike) => alike.map(({ text }) => text));
  for (const line of groups.flatMap((texts) => shortened(texts, rest))) print(line);
  if (doubt !== undefined && !options.newIds) throw doubtFailure(doubt, newIds.size > 0);
  if (newIds.size > 0) await setIds(newIds, run);
  if (count > 0 && (await importEntries(file, run)))
    print(`${count} imported. "pulumi preview" shows what is left to change.`);
  const open = notes.filter(({ isOpen }) => isOpen).length;
  if (open > 0)
    throw new CommandFailure(
      `Of the resources that the program declares, ${open} can't be imported`,
      "Do what their lines above say, and run this again",
    );
  return { count: count + newIds.size, places, planned: preview.planned };
}

/** The resources of a stack that the next `up` would delete or replace. */
function undeclared({ resources = [] }: Deployment, { keeps }: Preview): StackResource[] {
  return resources.filter(
    ({ urn, type, id, delete: isLeaving }) => id && !isLeaving && !/^pulumi:/.test(type) && !keeps(urn),
  );
}

function undeclaredFailure(all: readonly StackResource[]): CommandFailure {
  return new CommandFailure(
    `The program does not declare what the stack holds, so the next "pulumi up" deletes it, or fails if it is protected: ${enumerate(all.map(({ urn }) => shellQuote(urn)))}`,
    `Declare it first, perhaps by the file that an earlier import wrote. To keep its record on the service and not in the stack, ${LET_GO}`,
  );
}

/** Why a service is probably another account's, and what to do if it is not. */
function doubtFailure({ text, resource, source }: Doubt, hasNewIds: boolean): CommandFailure {
  const { key, baseUrl } = endpoint(resource.service, source).labels;
  const way = hasNewIds
    ? "the service has given its records new ids: run the same command with --new-ids"
    : `drop each with "${DROP}", one at a time, or, if its id is another record's, with ${dropCommand("URN")}; the next up creates them again`;
  return new CommandFailure(
    `Nothing is imported: ${text}`,
    `Check ${key} and ${baseUrl}. If they are right, ${way}`,
  );
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
  const [declared, held] = [planned, resources].map((all) => all.find((each) => each.urn === urn));
  const { type, inputs = {} } = declared ?? held ?? {};
  if (type === undefined) return undefined;
  const stored = unwrapSecrets(held?.inputs ?? {});
  const known = Object.entries(inputs).map(([name, value]) => [
    name,
    // What a preview prints instead of a secret.
    value === "[secret]" ? stored[name] : value,
  ]);
  const provider = { urn, type, inputs: Object.fromEntries(known) };
  const source = providersIn({ resources: [provider] }).explicit.get(urn);
  if (source === undefined || known.every(([, value]) => value !== undefined)) return source;
  throw new CommandFailure(
    `Nothing is imported: the secrets of the provider "${parseUrn(urn).name}" are not in the stack yet`,
    `Run "pulumi up --target ${shellQuote(urn)}", which creates that provider alone, then run this again`,
  );
}
