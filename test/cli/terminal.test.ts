import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { progress } from "../../cli/terminal";

/** Shows three parts of work, and gives what came of it on the terminal and as lines. */
async function shown(isTerminal: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const lines: string[] = [];
  const terminal = {
    stream: isTerminal ? stream : undefined,
    print: (line: string) => void lines.push(line),
  };
  const bar = await progress("Importing", 3, terminal);
  bar.update(1);
  bar.update(3);
  bar.end();
  return { lines, written: String(stream.read() ?? "") };
}

test("on a terminal a bar fills, goes when the work ends, and leaves the terminal as it was", async () => {
  const { lines, written } = await shown(true);
  expect(lines).toEqual([]);
  expect(written).toContain("0/3");
  expect(written).toContain("3/3");
  const sequence = String.fromCharCode(27);
  expect(written.endsWith(`${sequence}[2K`)).toBe(true);
  for (const lasting of ["[?25l", "[?7l"]) expect(written).not.toContain(sequence + lasting);
});

test("elsewhere it is one line", async () => {
  expect(await shown(false)).toEqual({ lines: ["Importing 3 ..."], written: "" });
});
