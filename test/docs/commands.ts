import { addDoctorCommand } from "../../cli/doctor/command";
import { addEmulatorCommand } from "../../cli/emulator/command";
import { addImportCommand } from "../../cli/import/command";
import { addInitNativeCommand } from "../../cli/init-native/command";
import { run } from "../../cli/program";

const commands = [addImportCommand, addDoctorCommand, addEmulatorCommand, addInitNativeCommand];

/** A call of `pulumi-tracking` in a document: its command and its options. */
export interface Call {
  command: string;
  options: string[];
}

/** Every call of the program in a document's code, without comments. */
export function commandsIn(text: string): Call[] {
  const code = [...text.matchAll(/`([^`\n]+)`|^```\w+\n([\s\S]*?)^```$/gm)].flatMap(([, inline, block]) =>
    (inline ?? block ?? "").split("\n"),
  );
  return code.flatMap((line) => {
    const [, command = "", rest = ""] =
      /(?:^|\s)pulumi-tracking ([a-z-]+)(.*)$/.exec(line.replace(/ #.*/, "")) ?? [];
    return command === "" ? [] : [{ command, options: rest.match(/(?<=\s)--[\w-]+/g) ?? [] }];
  });
}

/** Commands and options that the program's help does not name. */
export async function unknownWords(calls: readonly Call[]): Promise<string[]> {
  const known = words(await help());
  const unknown: string[] = [];
  for (const { command, options } of calls) {
    if (!known.has(command)) unknown.push(command);
    const offered = words(known.has(command) ? await help(command) : "");
    unknown.push(...options.filter((each) => !offered.has(each)).map((each) => `${command} ${each}`));
  }
  return unknown;
}

async function help(...command: string[]): Promise<string> {
  const parts: string[] = [];
  await run(commands, [...command, "--help"], { out: (part) => void parts.push(part), error: () => {} });
  return parts.join("");
}

/** The first words of a help's lines: commands and options. */
function words(text: string): Set<string> {
  const starts = [...text.matchAll(/^ {2}((?:-\w, )?(--)?[a-z][\w-]*)/gm)].map(([, start = ""]) => start);
  return new Set(starts.map((start) => start.replace(/^-\w, /, "")));
}
