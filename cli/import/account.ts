import { tokenOf } from "../../provider/hosts/token";
import { catalogue } from "../../provider/resources";
import { noun } from "../../provider/schema/resource";
import { Account } from "../account";
import { CommandFailure } from "../failure";
import type { ImportArguments } from "../import";
import type { Screen } from "../progress";
import type { Stored } from "../pulumi/answers";
import { NoStack } from "../pulumi/cause";
import { Stack, settingsOf } from "../pulumi/stack";
import { entryOf } from "./entry";
import { patternsIn, wants } from "./filter";
import { Names } from "./names";
import { received, told } from "./preview";
import type { Named } from "./program";
import { lineFor } from "./program-folder";
import { needImports, protectAll, withImportFile, writeNew } from "./pulumi";
import { namesIn, restOf, vanished } from "./rest";

/** Writes the rest of the account as a program, and the file that brings it under management. */
export async function importRest(typed: ImportArguments, screen: Screen): Promise<void> {
  const { tell } = screen;
  const stack = new Stack(typed.stack);
  if (typed.apply) await needImports(stack);
  const held = await heldBy(stack, typed.apply === true);
  const account = new Account(await settingsOf(stack), { say: tell, debug: tell });
  const records = await restOfAccount(typed, account, held, tell);
  if (records.length === 0) {
    tell("There is nothing to import: the stack lacks no record that was asked for.");
    return;
  }
  const out = typed.out ?? (typed.format === "ts" ? "tracking.ts" : "tracking.yaml");
  await writeNew(out, await written(typed.format, records), typed.force === true);
  tell(`${out}: ${records.length} declared.`);
  const entries = records.map((each) => entryOf(each.resource, { name: each.name }, each.id, each.state));
  const line = await lineFor(out, typed.format);
  const applied = await withImportFile(stack, { resources: entries }, typed, screen);
  if (!applied) {
    tell(`Then add this line to the program: ${line}`);
    return;
  }
  const imported = urnsOf(records, await stack.resources());
  await protectAll(stack, imported.guarded);
  tell(`${records.length} imported.`);
  for (const gone of await vanished(account, records)) tell(gone);
  await sayWhatIsLeft(stack, new Set(imported.urns), line, tell);
}

/** A preview that fails for a reason of its own fails the command: nobody knows yet whether the program fits. */
async function sayWhatIsLeft(
  stack: Stack,
  urns: ReadonlySet<string>,
  line: string,
  tell: Screen["tell"],
): Promise<void> {
  const preview = await received(stack, urns);
  if ("failure" in preview) {
    tell(`The program has to hold this line, if it does not yet: ${line}`);
    throw preview.failure;
  }
  tell(
    preview.undeclared
      ? `Add this line to the program, and "pulumi preview" finds nothing more to do with them: ${line}`
      : told(preview.changes, " with them"),
  );
}

/** What the stack holds; nothing where there is no stack, unless one is needed. */
async function heldBy(stack: Stack, needed: boolean): Promise<readonly Stored[]> {
  return stack.resources().catch((error: unknown) => {
    if (!needed && stack.name === undefined && error instanceof NoStack) return [];
    throw error;
  });
}

/** Reads one kind after the other: where a key opens only one of them, that one is imported. */
async function restOfAccount(
  typed: ImportArguments,
  account: Account,
  held: readonly Stored[],
  tell: Screen["tell"],
): Promise<readonly Named[]> {
  const listed = typed.from === undefined ? [] : await patternsIn(typed.from);
  const { match = [], exclude = [] } = typed;
  const wanted = wants({ match: [...match, ...listed], exclude });
  const names = new Names(namesIn(held));
  const found: Named[] = [];
  const failures: CommandFailure[] = [];
  const kinds = catalogue.filter((each) => typed.only === undefined || typed.only === `${noun(each)}s`);
  for (const resource of kinds) {
    try {
      const rest = restOf(resource, await account.records(resource), held, { wanted, names });
      for (const line of rest.lines) tell(line);
      tell(`${rest.records.length} ${noun(resource)}${rest.records.length === 1 ? "" : "s"} to import.`);
      found.push(...rest.records);
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      failures.push(error);
    }
  }
  if (failures.length === kinds.length && failures[0] !== undefined) throw failures[0];
  for (const { message } of failures) tell(`${message} The rest is imported without them.`);
  return found;
}

async function written(format: "ts" | "yaml", records: readonly Named[]): Promise<string> {
  if (format === "ts") return (await import("./typescript.js")).typescript(records);
  return (await import("./yaml.js")).yaml(records);
}

/** The URNs of what was imported, and of these the ones that a program protects unless it says otherwise. */
function urnsOf(
  records: readonly Named[],
  held: readonly Stored[],
): { readonly urns: string[]; readonly guarded: string[] } {
  const urns = new Map(held.map(({ type, id, urn }) => [`${type} ${id}`, urn]));
  const urnOf = ({ resource, id }: Named) => urns.get(`${tokenOf(resource)} ${id}`) ?? [];
  return {
    urns: records.flatMap(urnOf),
    guarded: records.filter(({ resource }) => resource.guards !== undefined).flatMap(urnOf),
  };
}
