import { extname } from "node:path";
import { noun } from "../../provider/schema/resource";
import { Account } from "../account";
import { CommandFailure } from "../failure";
import type { ImportArguments } from "../import";
import type { Screen } from "../progress";
import type { Stack } from "../pulumi/stack";
import { type Source, sayWhatIsLeft } from "./ending";
import { entryOf } from "./entry";
import { Filter, patternsIn, patternsOf } from "./filter";
import { addressOf, Holdings } from "./holdings";
import { type Format, type Program, programIn } from "./language";
import { Names } from "./names";
import type { Named } from "./program";
import { programFiles, type Target, textWith } from "./program-file";
import { needImports, withImportFile } from "./pulumi";
import { type Listed, listsOf, opened } from "./reading";
import { type Rest, restOf, type Surroundings, vanished } from "./rest";
import type { Standing } from "./standing";
import { replaceText } from "./text-file";

/**
 * Writes the rest of the account as a program, and brings it under management. The program comes first: what the
 * stack holds and no program declares is what the next `up` would delete.
 */
export async function importRest(
  typed: ImportArguments,
  stack: Stack,
  standing: Standing,
  screen: Screen,
): Promise<void> {
  const { tell } = screen;
  const filter = filterOf(typed);
  const program = await programIn(process.cwd());
  const format = formatOf(typed, program);
  const there = await opened(stack, typed.apply === true);
  if (typed.apply) await needImports(stack);
  const account = new Account(there.settings, { warn: tell, debug: tell });
  const lists = await listsOf(typed.only, account, there, tell);
  // The stack is read after the service: what a run makes in the meantime is in it, or among what is pending there.
  const holdings = new Holdings(await there.deployment(), there.settings);
  const out = typed.out ?? defaultOut(format, program);
  const { present, target } = await programFiles(out, format, program, typed.force === true);
  const known = present.flatMap(({ declared }) => declared.map(({ name }) => name));
  const { fresh, declared } = named(lists, tell, {
    holdings,
    filter,
    present,
    address: (resource) => addressOf(resource, there.settings),
    names: new Names([...holdings.names, ...known]),
    isYaml: format === "yaml",
  });
  sayWhatFitsNothing(filter, tell);
  const sources: Source[] = [...present, { line: target.line, declared: fresh.map(declarationOf) }].filter(
    (each) => each.declared.length > 0,
  );
  const records = [...declared, ...fresh];
  if (records.length === 0) {
    tell("There is nothing to import: the stack already manages every matching record.");
    if (typed.apply) await sayWhatIsLeft(stack, sources, tell);
    return;
  }
  if (fresh.length > 0) await write(target, fresh, standing, tell);
  const entries = records.map((each) => entryOf(each.resource, { name: each.name }, each.id, each.state));
  if (!(await withImportFile(stack, { resources: entries }, typed, standing, screen))) {
    const needed = sources.filter((source) =>
      source.declared.some(({ name }) => records.some((each) => each.name === name)),
    );
    for (const line of new Set(needed.map((each) => each.line)))
      tell(`Then add this line to the program: ${line}`);
    return;
  }
  tell(`${records.length} imported.`);
  for (const gone of await vanished(account, records)) tell(gone);
  await sayWhatIsLeft(stack, sources, tell);
}

async function write(
  target: Target,
  records: readonly Named[],
  standing: Standing,
  tell: Screen["tell"],
): Promise<void> {
  const text = await textWith(target, records);
  standing.wrote(target.file, replaceText(target.file, target.before, text));
  tell(`${target.file}: ${records.length} declared${target.before === undefined ? "" : " more"}.`);
}

function named(lists: readonly Listed[], tell: Screen["tell"], around: Surroundings): Rest {
  const rests = lists.map(([resource, records]) => {
    const rest = restOf(resource, records, around);
    for (const line of rest.lines) tell(line);
    const count = rest.fresh.length + rest.declared.length;
    tell(`${count} ${noun(resource)}${count === 1 ? "" : "s"} to import.`);
    return rest;
  });
  return {
    fresh: rests.flatMap((each) => each.fresh),
    declared: rests.flatMap((each) => each.declared),
    lines: [],
  };
}

function declarationOf({ resource, name, state }: Named): { type: string; name: string; key: string } {
  return { type: resource.type, name, key: String(state[resource.key]) };
}

function filterOf({ match, exclude, from }: ImportArguments): Filter {
  const listed = from === undefined ? [] : patternsIn(from);
  return new Filter([...patternsOf("--match", match), ...listed], patternsOf("--exclude", exclude));
}

function sayWhatFitsNothing(filter: Filter, tell: Screen["tell"]): void {
  if (filter.matchesNothing)
    throw new CommandFailure(
      `Nothing to import: ${filter.unfit.join("; ")}`,
      "Give domains and names as the service shows them; * stands for any text.",
    );
  for (const line of filter.unfit) tell(`${line}.`);
}

/** What was asked for, or what the file's name says, or what the program is. */
function formatOf({ format, out = "" }: ImportArguments, { language }: Program): Format {
  if (format !== undefined) return format;
  const kind = extname(out);
  if (/^\.ya?ml$/.test(kind)) return "yaml";
  if (/^\.[mc]?ts$/.test(kind)) return "ts";
  return /^\.[mc]?js$/.test(kind) ? "js" : language;
}

function defaultOut(format: Format, { language, extension }: Program): string {
  return `tracking${format === language ? extension : `.${format}`}`;
}
