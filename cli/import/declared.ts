import { endpoint, type SettingsSource } from "../../provider/config";
import { parseUrn } from "../../provider/hosts/urn";
import { groupsBy, MAX_ALIKE } from "../alike";
import { CommandFailure } from "../failure";
import type { Deployment, StackResource } from "../pulumi/json-output";
import { previewProgram } from "../pulumi/preview";
import { requireProject } from "../pulumi/project";
import { settingsIn } from "../pulumi/stack";
import { recordsBy, type ServiceRecords, Unknowable } from "../service-records";
import { shellQuote } from "../shell-quote";
import { baseUrlFor, explicitSettings, heldRecords, unwrapSecrets } from "../stack-records";
import { HIDDEN, matchDeclared, type Note, type ServiceFor } from "./match-declared";
import { setIds } from "./new-ids";
import { previewAfterImport } from "./preview-after-import";
import { importEntries } from "./pulumi-import";
import type { ImportRun } from "./run";

/** Imports the records that the program declares and the stack does not manage. */
export async function importDeclared(run: ImportRun): Promise<void> {
  const { options, stack } = run;
  const { print } = run.terminal;
  await requireProject(run.folder);
  await stack.requireImportSupport();
  const settings = settingsIn(await stack.config());
  print("Running the program to see what it declares ...");
  const preview = await previewProgram(stack, settings, true);
  const deployment = await stack.deployment();
  const services = new Map<string, { source: SettingsSource; service: ServiceRecords }>();
  const serviceFor: ServiceFor = (resource, urn) => {
    const source = services.get(urn)?.source ?? settingsOf(urn, preview.planned, deployment) ?? settings;
    const logger = { warn: print, debug: print };
    const service = services.get(urn)?.service ?? recordsBy(source, logger);
    services.set(urn, { source, service });
    const labels = () => endpoint(resource.service, source).labels;
    return {
      baseUrl: baseUrlFor(resource, source),
      service,
      settings: () => `${labels().key} and ${labels().baseUrl}`,
    };
  };
  const matched = await matchDeclared(preview, heldRecords(deployment, settings), serviceFor);
  printNotes(matched.notes, print);
  if (preview.file === undefined)
    throw new CommandFailure(
      "Nothing is imported, because a preview of the program fails: it would delete protected resources",
      'Run "pulumi preview", which names them; declare each again, or, if you renamed it, give the new one its aliases',
    );
  const [doubt] = matched.doubts;
  if (doubt !== undefined && !options.newIds)
    throw new CommandFailure(
      `Nothing is imported: ${doubt.text}`,
      `Check ${doubt.settings}. ${
        matched.newIds.size > 0
          ? "If they are right, the service has given its records new ids: run the same command with --new-ids"
          : 'If they are right, the records are gone: drop them with "pulumi state delete --force URN", and the next up creates them again'
      }`,
    );
  if (matched.newIds.size > 0) await setIds(matched.newIds, run);
  else if (matched.count === 0)
    print("Nothing to import: the stack has every declared record that can be imported.");
  if (matched.count > 0 && (await importEntries(matched.file, run))) print(`${matched.count} imported.`);
  if (options.apply) await previewAfterImport(run);
}

/** Prints ten notes of each code, and how many similar ones there are. */
function printNotes(notes: readonly Note[], print: (line: string) => void): void {
  for (const group of groupsBy(notes, ({ code }) => code)) {
    for (const { text } of group.slice(0, MAX_ALIKE)) print(text);
    if (group.length > MAX_ALIKE) print(`… and ${group.length - MAX_ALIKE} more of this kind.`);
  }
}

/**
 * The settings of a declared explicit provider; nothing for the stack's own. Only state has a
 * provider's secrets; throws an `Unknowable` if it does not have them yet.
 */
function settingsOf(
  urn: string,
  planned: readonly StackResource[],
  { resources = [] }: Deployment,
): SettingsSource | undefined {
  const [declared, held] = [planned, resources].map((all) => all.find((each) => each.urn === urn)?.inputs);
  const stored = unwrapSecrets(held ?? {});
  const inputs = Object.entries(declared ?? stored).map(([name, value]) => [
    name,
    value === HIDDEN ? stored[name] : value,
  ]);
  const source = explicitSettings(urn, Object.fromEntries(inputs));
  if (source === undefined || inputs.every(([, value]) => value !== undefined)) return source;
  throw new Unknowable(
    `the secrets of its provider "${parseUrn(urn).name}" are not in the stack yet`,
    `Run "pulumi up --target ${shellQuote(urn)}", which creates that provider alone, then run this again`,
  );
}
