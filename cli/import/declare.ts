import type { Found } from "../../provider/schema/wire";
import { Account } from "../account";
import type { ImportArguments } from "../import";
import type { Screen } from "../progress";
import { failureOf } from "../pulumi/cause";
import { projectFolder } from "../pulumi/project";
import type { Stack } from "../pulumi/stack";
import { matchDeclared } from "./declared";
import { sayWhatIsLeft } from "./ending";
import { addressOf, Holdings } from "./holdings";
import { previewed } from "./preview";
import { providersOf } from "./providers";
import { needImports, withImportFile } from "./pulumi";
import type { Standing } from "./standing";

/** Brings the records under management that the program declares and the stack does not hold. */
export async function importDeclared(
  typed: ImportArguments,
  stack: Stack,
  standing: Standing,
  screen: Screen,
): Promise<void> {
  const { tell } = screen;
  if (projectFolder(process.cwd()) === undefined) throw failureOf("no-project");
  await needImports(stack);
  const settings = await stack.settings();
  tell("Asking the program what it declares ...");
  const preview = await previewed(stack);
  const holdings = new Holdings(await stack.deployment({ secrets: true }), settings);
  const settingsOf = providersOf(preview, holdings, settings);
  const read = new Map<string, Promise<readonly Found[]>>();
  const matched = await matchDeclared(preview, holdings, {
    address: (resource, planned) => addressOf(resource, settingsOf(planned)),
    read: (resource, planned) => {
      const place = `${resource.type} ${planned.provider ?? ""}`;
      const records =
        read.get(place) ?? new Account(settingsOf(planned), { say: tell, debug: tell }).records(resource);
      read.set(place, records);
      return records;
    },
  });
  for (const line of matched.lines) tell(line);
  if (matched.count === 0) {
    tell("There is nothing to import: no declared record that the stack lacks is on the service.");
    if (typed.apply) await sayWhatIsLeft(stack, [], tell);
    return;
  }
  if (!(await withImportFile(stack, matched.file, typed, standing, screen))) return;
  tell(`${matched.count} imported.`);
  await sayWhatIsLeft(stack, [], tell);
}
