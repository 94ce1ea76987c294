import type { Resource } from "../../provider/schema/resource";
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
  const finders = new Map<string, Finder>();
  const matched = await matchDeclared(preview, holdings, {
    address: (resource, planned) => addressOf(resource, settingsOf(planned)),
    find: (resource, planned, key) => {
      const place = `${resource.type} ${planned.provider ?? ""}`;
      const account = new Account(settingsOf(planned), { warn: tell, debug: tell });
      const find = finders.get(place) ?? finderIn(account, resource);
      finders.set(place, find);
      return find(key);
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

/** Gives records among which are all that have a key. */
type Finder = (key: unknown) => Promise<readonly Found[]>;

/** Looks into the list, which is read once; where that is cut off, the service is asked for each key. */
export function finderIn(account: Account, resource: Resource): Finder {
  const listing = account.listing(resource);
  return async (key) => {
    const { records, whole } = await listing;
    return whole ? records : account.find(resource, key);
  };
}
