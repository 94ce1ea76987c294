import { catalogue } from "../../provider/resources";
import { noun } from "../../provider/schema/resource";
import { Account } from "../account";
import { CommandFailure } from "../failure";
import type { ImportArguments, Tell } from "../import";
import { type Held, NoStack, Stack, settingsOf } from "../stack";
import { entryOf, tokenOf } from "./entry";
import { patternsIn, wants } from "./filter";
import { Names } from "./names";
import type { Named } from "./program";
import { isQuiet, needImports, protectAll, withImportFile, writeNew } from "./pulumi";
import { namesIn, restOf } from "./rest";

/** Writes the rest of the account as a program, and the file that brings it under management. */
export async function importRest(typed: ImportArguments, tell: Tell): Promise<void> {
  const stack = new Stack(typed.stack);
  if (typed.apply) await needImports(stack);
  const held = await heldBy(stack);
  const records = await restOfAccount(typed, stack, held, tell);
  if (records.length === 0) {
    tell("There is nothing to import: the stack holds every record that is wanted.");
    return;
  }
  const out = typed.out ?? (typed.format === "ts" ? "tracking.ts" : "tracking.yaml");
  await writeNew(out, await written(typed.format, records), typed.force === true);
  tell(`${out}: ${records.length} declared.`);
  const entries = records.map((each) => entryOf(each.resource, { name: each.name }, each.id, each.state));
  const line = typed.format === "ts" ? `import "./${stem(out)}";` : `tracking.declareFrom("${out}");`;
  const applied = await withImportFile(stack, { resources: entries }, typed, tell);
  if (!applied) {
    tell(`Add this line to the program: ${line}`);
    return;
  }
  await protectAll(stack, guarded(await stack.resources(), records));
  tell(`${records.length} imported.`);
  tell(
    (await isQuiet(stack))
      ? "A preview finds nothing to do."
      : `Add this line to the program, and "pulumi preview" finds nothing more to do with them: ${line}`,
  );
}

/** What the stack holds; nothing where there is no stack. */
async function heldBy(stack: Stack): Promise<readonly Held[]> {
  return stack.resources().catch((error: unknown) => {
    if (stack.name === undefined && error instanceof NoStack) return [];
    throw error;
  });
}

/** Reads one kind after the other: where a key opens only one of them, that one is imported. */
async function restOfAccount(
  typed: ImportArguments,
  stack: Stack,
  held: readonly Held[],
  tell: Tell,
): Promise<readonly Named[]> {
  const listed = typed.from === undefined ? [] : await patternsIn(typed.from);
  const wanted = wants({ match: [...typed.match, ...listed], exclude: typed.exclude });
  const account = new Account(await settingsOf(stack), { say: tell, debug: tell });
  const names = new Names(namesIn(held));
  const found: Named[] = [];
  const failures: CommandFailure[] = [];
  const kinds = catalogue.filter((each) => typed.only === undefined || typed.only === `${noun(each)}s`);
  for (const resource of kinds) {
    try {
      const rest = restOf(resource, await account.records(resource), held, { wanted, names });
      for (const line of rest.lines) tell(line);
      tell(`${rest.records.length} ${noun(resource)}s to import.`);
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

/** Those that a program protects unless it says otherwise. */
function guarded(held: readonly Held[], records: readonly Named[]): string[] {
  return records.flatMap(({ resource, id }) =>
    resource.guards === undefined
      ? []
      : held.filter((each) => each.type === tokenOf(resource) && each.id === id).map(({ urn }) => urn),
  );
}

function stem(file: string): string {
  return file.replace(/\.ts$/, "").replace(/^\.\//, "");
}
