import type { Found } from "../../provider/schema/wire";
import { Account } from "../account";
import type { ImportArguments } from "../import";
import type { Screen } from "../progress";
import { Stack, settingsOf } from "../pulumi/stack";
import { matchDeclared, sourceOf } from "./declared";
import { left, previewed, told } from "./preview";
import { needImports, protectAll, withImportFile } from "./pulumi";

/** Brings the records under management that the program declares and the stack does not hold. */
export async function importDeclared(typed: ImportArguments, screen: Screen): Promise<void> {
  const { tell } = screen;
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
  if (!(await withImportFile(stack, matched.file, typed, screen))) return;
  await protectAll(stack, matched.protect);
  tell(`${matched.count} imported. ${told(await left(stack))}`);
}
