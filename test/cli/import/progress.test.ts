import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { progress } from "../../../cli/import/progress";

/** Shows three parts of work, and gives what came of it on the terminal and as lines. */
function shown(isTerminal: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const lines: string[] = [];
  const terminal = {
    stream: isTerminal ? stream : undefined,
    print: (line: string) => void lines.push(line),
  };
  const bar = progress("Importing", 3, terminal);
  bar.update(1);
  bar.update(3);
  bar.end();
  return { lines, written: String(stream.read() ?? "") };
}

test("on a terminal one line counts, and goes when the work ends", () => {
  const { lines, written } = shown(true);
  expect(lines).toEqual([]);
  const clear = `\r${String.fromCharCode(27)}[K`;
  const counted = [0, 1, 3].map((count) => `${clear}Importing ${count}/3 ...`);
  expect(written).toBe(`${counted.join("")}${clear}`);
});

test("elsewhere it is one line", () => {
  expect(shown(false)).toEqual({ lines: ["Importing 3 ..."], written: "" });
});
