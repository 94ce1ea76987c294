import { tmpdir } from "node:os";
import { expect, it, onTestFinished } from "vitest";
import { Terminal } from "./terminal";

function open(): Terminal {
  const terminal = new Terminal(tmpdir(), { PATH: process.env.PATH ?? "" });
  onTestFinished(() => terminal.close());
  return terminal;
}

it("returns what a person reads after a command, and its exit code", async () => {
  const { code, text } = await open().enter("printf 'first\\rlast\\n\\e[31mred\\e[0m\\n'; (exit 3)");
  expect([code, text.split("\n").slice(1, 3)]).toEqual([3, ["lastt", "red"]]);
});

it("answers the questions of pasted lines, and runs the lines after them", async () => {
  const asks =
    "read -p 'Name? ' name\nread -sp 'Word? ' word\necho $name has $(printf $word | wc -c) letters";
  const { text } = await open().enter(asks, [
    ["Name?", "Ada"],
    ["Word?", "secret"],
  ]);
  expect(text).toContain("Ada has 6 letters");
  expect(text).not.toContain("secret");
});

it("fails if a question is not asked", async () => {
  await expect(open().enter("echo done", [["Sure?", "y"]])).rejects.toThrow('"Sure?" was not asked');
});
