import type { Found } from "../../provider/schema/wire";
import { Account } from "../account";
import type { ImportArguments, Tell } from "../import";
import { Stack, settingsOf } from "../stack";
import { matchDeclared, sourceOf } from "./declared";
import { left, previewed } from "./preview";
import { needImports, protectAll, withImportFile } from "./pulumi";

/** Brings the records under management that the program declares and the stack does not hold. */
export async function importDeclared(typed: ImportArguments, tell: Tell): Promise<void> {
  const stack = new Stack(typed.stack);
  await needImports(stack);
  tell("Asking the program what it declares ...");
  const preview = await previewed(stack);
  const settings = await settingsOf(stack);
  const read = new Map<string, Promise<readonly Found[]>>();
  const matched = await matchDeclared(preview, (resource, provider) => {
    const place = `${resource.type} ${provider ?? ""}`;
    const source = provider === undefined ? settings : sourceOf(preview.opened[provider] ?? {});
    const records = read.get(place) ?? new Account(source, { say: tell, debug: tell }).records(resource);
    read.set(place, records);
    return records;
  });
  for (const line of matched.lines) tell(line);
  if (matched.count === 0) {
    tell("There is nothing to import: no declared record that the stack lacks is on the service.");
    return;
  }
  if (!(await withImportFile(stack, matched.file, typed, tell))) return;
  await protectAll(stack, matched.protect);
  tell(`${matched.count} imported. ${told(await left(stack))}`);
}

/** What a preview still finds, in one sentence. */
export function told(changes: Readonly<Record<string, number>>): string {
  const parts = Object.entries(changes).map(([op, count]) => `${count} to ${op}`);
  return parts.length === 0
    ? "A preview finds nothing to do."
    : `A preview finds ${parts.join(", ")}: see "pulumi preview --diff", then run "pulumi up".`;
}
