import { type AddCommand, run } from "../../cli/command-line";

/** Runs the program with one command, and gives its status and its words. */
export async function ran(
  command: AddCommand,
  ...args: string[]
): Promise<{ status: number; out: string; error: string }> {
  const words = { out: "", error: "" };
  const output = {
    out: (text: string) => {
      words.out += text;
    },
    error: (text: string) => {
      words.error += text;
    },
  };
  return { status: await run([command], args, output), ...words };
}
