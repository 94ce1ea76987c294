import type { Resource } from "../../provider/schema/resource";
import type { Found } from "../../provider/schema/wire";
import { Account, cutOff } from "../account";
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
      const account = new Account(settingsOf(planned), { say: tell, debug: tell });
      const records = read.get(place) ?? asFarAsListed(account, resource, tell);
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

/** What is declared is looked for among the records that were found, and the user is told that there may be more. */
export async function asFarAsListed(
  account: Account,
  resource: Resource,
  tell: Screen["tell"],
): Promise<readonly Found[]> {
  const { records, whole } = await account.listing(resource);
  if (!whole)
    tell(`Warning: ${cutOff(resource, records)}. A declared record that is not among them is not imported.`);
  return records;
}
