import { environmentName, type SettingsSource } from "../../provider/config";
import { catalogue } from "../../provider/resources";
import type { RemoteRecord } from "../../provider/schema/codec";
import { noun, pluralName, type Resource } from "../../provider/schema/resource";
import { CommandFailure } from "../failure";
import { baseUrlFor, resourceOfType } from "../look/held";
import { recordsBy } from "../look/service";
import { AFTER_KILL } from "../pulumi/explain-failure";
import { previewProgram, programOf } from "../pulumi/program";
import { requireProject } from "../pulumi/project";
import { type Stack, settingsIn } from "../pulumi/stack";
import { allOf } from "./read-account";

/** The formats in which records are written: programs for Node.js, and files for `declareFrom`. */
export const formats = ["ts", "js", "yaml"] as const;
export type Format = (typeof formats)[number];

export interface ImportOptions {
  declared?: boolean;
  out?: string;
  format?: Format;
  /** Such as `websites`. */
  only?: string;
  match?: string[];
  exclude?: string[];
  stack?: string;
  file?: string;
  apply?: boolean;
}

export interface ImportRun {
  readonly stack: Stack;
  readonly options: ImportOptions;
  /** The folder that it runs in. */
  readonly folder: string;
  print(line: string): void;
}

/** What an import knows before it begins. */
export type Inventory = Awaited<ReturnType<typeof takeInventory>>;

/** Reads the stack, what the program declares, and, unless only that is imported, the whole account. */
export async function takeInventory(run: ImportRun) {
  const { options, stack, folder, print } = run;
  const project = await requireProject(folder);
  const settings = settingsIn(await stack.config());
  if (options.apply || options.declared) await stack.requireImportSupport();
  const service = recordsBy(settings, { warn: print, debug: print });
  const lists = new Map<Resource, readonly RemoteRecord[]>();
  const resources = options.declared ? [] : resourcesToImport(run, settings);
  for (const resource of resources) lists.set(resource, await allOf(resource, service));
  // The stack is read after the service: what a run creates meanwhile is in it, or among its pending operations.
  const deployment = await stack.deployment();
  const isPending = deployment.pending_operations?.some(({ resource }) => resourceOfType(resource.type));
  // What is declared can still be imported: that is the way out.
  if (isPending && !options.declared)
    throw new CommandFailure(
      "Nothing is imported: a run has not ended, and the stack does not know yet which records it created",
      AFTER_KILL,
    );
  print("Running the program to see what it declares ...");
  const program = await previewProgram(stack, true).catch((error: unknown) => {
    // A program that does not run yet may need the file that is to be written.
    if (!(error instanceof CommandFailure) || options.declared) throw error;
    print(`What the program declares is unknown, and may be written once more. ${error.message}`);
    return programOf([]);
  });
  return { project, settings, service, lists, deployment, program };
}

/** The resources whose records to import. A service without an address is not used, unless none has one. */
function resourcesToImport({ options: { only }, print }: ImportRun, settings: SettingsSource): Resource[] {
  const wanted = catalogue.filter((each) => only === undefined || pluralName(each) === only);
  const used = wanted.filter((each) => baseUrlFor(each, settings) !== undefined);
  if (used.length === 0) return wanted;
  for (const each of wanted.filter((one) => !used.includes(one))) {
    const name = `${each.service}BaseUrl`;
    print(
      `No ${noun(each)} is imported, because neither tracking:${name} nor ${environmentName(name)} is set.`,
    );
  }
  return used;
}
