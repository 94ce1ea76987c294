import { Command } from "commander";
import { commands } from "../../cli/commands";

/** A call of `pulumi-tracking` in a document: its command and its own options, not those after `--`. */
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
      /(?:^|\s)pulumi-tracking ([a-z][a-z-]*)(.*)$/.exec(line.replace(/ #.*/, "")) ?? [];
    return command === ""
      ? []
      : [{ command, options: rest.replace(/ -- .*/, "").match(/(?<=\s)--[\w-]+/g) ?? [] }];
  });
}

/** Commands and options that the program does not have. */
export function unknownWords(calls: readonly Call[]): string[] {
  const program = new Command();
  for (const declare of commands) declare(program);
  return calls.flatMap(({ command, options }) => {
    const found = program.commands.find((offered) => offered.name() === command);
    if (found === undefined) return [command];
    const offered = ["--help", ...found.options.map(({ long }) => long)];
    return options.filter((option) => !offered.includes(option)).map((option) => `${command} ${option}`);
  });
}
