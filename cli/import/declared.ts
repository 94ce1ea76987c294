import type { SettingsSource } from "../../provider/config";
import { CommandFailure } from "../failure";
import type { Deployment, ResourceState } from "../pulumi/json-output";
import { previewProgram } from "../pulumi/preview";
import { requireProject } from "../pulumi/project";
import { settingsIn } from "../pulumi/stack";
import { ServiceRecords, Unknowable } from "../service-records";
import { shellQuote } from "../shell-quote";
import {
  baseUrlFor,
  explicitSettings,
  heldRecords,
  nameOf,
  providerUrn,
  unwrapSecrets,
} from "../stack-records";
import { type FindRecords, matchDeclared } from "./match-declared";
import { previewAfterImport } from "./preview-after-import";
import { importEntries } from "./pulumi-import";
import type { ImportRun } from "./run";

/** What a preview prints instead of a secret. */
const HIDDEN = "[secret]";

/** Imports the records that the program declares and the stack does not manage. */
export async function importDeclared(run: ImportRun): Promise<void> {
  const { options, stack } = run;
  const { print } = run.terminal;
  await requireProject(run.folder);
  await stack.requireImportSupport();
  const settings = settingsIn(await stack.config());
  print("Running the program to see what it declares ...");
  const preview = await previewProgram(stack, settings);
  const deployment = await stack.deployment();
  const services = new Map<string, ServiceRecords>();
  const find: FindRecords = async (resource, planned, key) => {
    if (key === HIDDEN)
      throw new Unknowable(
        `its ${resource.key} is a secret, which a preview hides`,
        "Give it adopt: true instead",
      );
    const urn = providerUrn(planned);
    const source = settingsOf(urn, preview.planned, deployment) ?? settings;
    const service = services.get(urn) ?? new ServiceRecords(source, { warn: print, debug: print });
    services.set(urn, service);
    return { baseUrl: baseUrlFor(resource, source), records: await service.find(resource, key) };
  };
  const matched = await matchDeclared(preview, heldRecords(deployment, settings), find);
  for (const note of matched.notes) print(note);
  if (preview.file === undefined)
    throw new CommandFailure(
      "Nothing is imported, because a preview of the program fails: it would delete protected resources",
      'Run "pulumi preview", which names them; declare each again, or, if you renamed it, give the new one its aliases',
    );
  if (matched.count === 0)
    print("Nothing to import: the stack has every declared record that can be imported.");
  else if (await importEntries(matched.file, run)) print(`${matched.count} imported.`);
  if (options.apply) await previewAfterImport(run);
}

/**
 * The settings of a declared explicit provider; nothing for the stack's own. Only state has a
 * provider's secrets; throws an `Unknowable` if it does not have them yet.
 */
function settingsOf(
  urn: string,
  planned: readonly ResourceState[],
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
    `the secrets of its provider "${nameOf(urn)}" are not in the stack yet`,
    `Run "pulumi up --target ${shellQuote(urn)}", which creates that provider alone, then run this again`,
  );
}
