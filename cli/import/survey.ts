import { environmentName, type SettingsSource } from "../../provider/config";
import { catalogue } from "../../provider/resources";
import type { RemoteRecord } from "../../provider/schema/codec";
import { noun, pluralName, type Resource } from "../../provider/schema/resource";
import { CommandFailure } from "../failure";
import { baseUrlFor, heldRecords, resourceOfType } from "../look/held";
import { recordsBy } from "../look/service";
import { withProgress } from "../progress";
import { AFTER_KILL } from "../pulumi/explain-failure";
import { type Program, previewProgram, programOf } from "../pulumi/program";
import { lacksProgram, type Project, requireProject } from "../pulumi/project";
import { settingsIn } from "../pulumi/stack";
import { accountsOf } from "./accounts";
import { readAll } from "./read-account";
import type { ImportRun } from "./run";

/** An import, or who asks what one would find. */
type SurveyRun = Omit<ImportRun, "command">;

/**
 * The resources whose records to import. A stack does not use a service without an address; if none has one, all are asked for,
 * and the message names the setting that is missing.
 */
function resourcesToImport({ options: { only }, print }: SurveyRun, settings: SettingsSource): Resource[] {
  const selected = catalogue.filter((resource) => only === undefined || pluralName(resource) === only);
  const used = selected.filter((resource) => baseUrlFor(resource, settings) !== undefined);
  if (used.length === 0) return selected;
  for (const unused of selected.filter((resource) => !used.includes(resource))) {
    const name = `${unused.service}BaseUrl`;
    print(
      `No ${noun(unused)} is imported, because neither tracking:${name} nor ${environmentName(name)} is set.`,
    );
  }
  return used;
}

/** Reads what the program declares. Rejects if it does not run: what it declares would be written once more. */
function readProgram({ stack, print }: SurveyRun, project: Project): Program | Promise<Program> {
  if (lacksProgram(project)) return programOf([], "{}");
  print("Running the program to see what it declares ...");
  return previewProgram(stack, { isForImport: true });
}

/** Reads the stack, what the program declares and, unless only that is imported (`--declared`), the stack's whole account. */
export async function survey(run: SurveyRun) {
  const { options, stack, folder, print } = run;
  const project = await requireProject(folder);
  const ofStack = options.stack === undefined ? undefined : { name: options.stack, isForeign: false };
  const settings = settingsIn(await stack.config(), ofStack);
  if (options.apply || options.declared) await stack.requireImportSupport();
  const ownAccount = { source: settings, records: recordsBy(settings, { warn: print, debug: print }) };
  const lists = new Map<Resource, readonly RemoteRecord[]>();
  const resources = options.declared ? [] : resourcesToImport(run, settings);
  for (const resource of resources) {
    const what = `Reading all ${pluralName(resource)} at ${baseUrlFor(resource, settings)}`;
    lists.set(resource, await withProgress(what, () => readAll(resource, ownAccount.records)));
  }
  // After the service: a record that a run creates meanwhile is then in the stack, or among its pending operations. Before it,
  // the record would look as if nobody managed it, and be imported twice.
  const deployment = await stack.deployment();
  const isPending = (deployment.pending_operations ?? []).some(({ resource }) =>
    resourceOfType(resource.type),
  );
  // `--declared` can still import: it is what the advice ends with.
  if (isPending && !options.declared)
    throw new CommandFailure(
      "Nothing is imported: a run has not ended, and the stack does not know yet which records it created",
      AFTER_KILL.creating,
    );
  const program = await readProgram(run, project);
  const accounts = accountsOf(ownAccount, program.planned, deployment, print);
  const held = heldRecords(deployment, settings);
  return { project, deployment, program, held, lists, accounts };
}

/** What an import knows before it plans: the project, the stack, the program and the account. */
export type Survey = Awaited<ReturnType<typeof survey>>;
