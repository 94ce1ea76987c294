import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { doOnce } from "../../tools/once.mjs";

/** A folder with two sources, and a work that writes a result and counts how often it was done. */
function workplace() {
  const root = mkdtempSync(join(tmpdir(), "once-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (file: string, text: string) => writeFileSync(join(root, file), text);
  mkdirSync(join(root, "code"));
  write("code/a.ts", "a");
  write("package.json", "{}");
  const places = { root, sources: ["code", "package.json", "absent"], result: "dist", note: "cache/done" };
  let count = 0;
  const done = async (meanwhile = () => {}) => {
    const before = count;
    await doOnce(places, async () => {
      count += 1;
      mkdirSync(join(root, "dist"), { recursive: true });
      write("dist/a.js", "built");
      meanwhile();
    });
    return count > before;
  };
  return { root, write, done };
}

it("does a work whose sources and result are as it left them only once", async () => {
  const { done } = workplace();
  expect([await done(), await done()]).toEqual([true, false]);
});

it.each<[what: string, change: (root: string, write: ReturnType<typeof workplace>["write"]) => void]>([
  ["a source is edited", (_, write) => write("code/a.ts", "b")],
  ["a source is added", (_, write) => write("code/b.ts", "")],
  ["a file among the sources is edited", (_, write) => write("package.json", "[]")],
  ["a source is renamed", (root) => renameSync(join(root, "code/a.ts"), join(root, "code/b.ts"))],
  ["the result is edited", (_, write) => write("dist/a.js", "edited")],
  ["the result is gone", (root) => rmSync(join(root, "dist"), { recursive: true })],
])("does it again if %s", async (_what, change) => {
  const { root, write, done } = workplace();
  await done();
  change(root, write);
  expect([await done(), await done()]).toEqual([true, false]);
});

it("does it again after a failure, and after an edit during the work", async () => {
  const { write, done } = workplace();
  const failing = done(() => {
    throw new Error("a mistake in the sources");
  });
  await expect(failing).rejects.toThrow("a mistake");
  expect(await done(() => write("code/a.ts", "edited"))).toBe(true);
  expect([await done(), await done()]).toEqual([true, false]);
});
