import { type Declare, run } from "../../cli/program";

/** Runs the program with one of its commands, as typed, and gives its exit status and its words. */
export async function typed(command: Declare, ...args: string[]) {
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
