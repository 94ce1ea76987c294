import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { replaceFile } from "../../../cli/import/text-file";

function file(text?: string): string {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-tracking-text-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "tracking.ts");
  if (text !== undefined) writeFileSync(path, text);
  return path;
}

const read = (path: string) => readFileSync(path, "utf8");

describe("a file that a command writes", () => {
  it("is there as a whole, with nothing beside it, and gone or as before where that is undone", () => {
    const [fresh, old] = [file(), file("before")];
    const undoFresh = replaceFile(fresh, undefined, "after");
    const undoOld = replaceFile(old, "before", "after");
    expect([fresh, old].map(read)).toEqual(["after", "after"]);
    undoFresh();
    undoOld();
    expect(readdirSync(join(fresh, ".."))).toEqual([]);
    expect(read(old)).toBe("before");
  });

  it("is not overwritten where somebody has made or changed it since it was read", () => {
    const [made, changed] = [file("theirs"), file("theirs")];
    expect(() => replaceFile(made, undefined, "ours")).toThrow("was changed meanwhile");
    expect(() => replaceFile(changed, "before", "ours")).toThrow("was changed meanwhile");
    expect([made, changed].map(read)).toEqual(["theirs", "theirs"]);
    expect(readdirSync(join(made, ".."))).toEqual(["tracking.ts"]);
  });

  it("is left as it is where somebody has changed it before that is undone", () => {
    const [fresh, old] = [file(), file("before")];
    const undoFresh = replaceFile(fresh, undefined, "after");
    const undoOld = replaceFile(old, "before", "after");
    for (const each of [fresh, old]) writeFileSync(each, "theirs");
    undoFresh();
    undoOld();
    expect([fresh, old].map(read)).toEqual(["theirs", "theirs"]);
  });
});
