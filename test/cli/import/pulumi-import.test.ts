import { expect, test } from "vitest";
import { ImportRun } from "../../../cli/import/import-run";
import type { ImportOptions } from "../../../cli/import/options";
import { importEntries } from "../../../cli/import/pulumi-import";
import type { Stack } from "../../../cli/pulumi/stack";

const ENTRIES = ["1", "2", "3"].map((id) => ({ type: "tracking:index:Pixel", name: `p${id}`, id }));

test("an interrupt reaches the engine between its first and its last resource alone, since it leaves its lock behind before and after", async () => {
  const heard: boolean[] = [];
  const runOrThrow: Stack["runOrThrow"] = async (_args, { canInterrupt, onOutput } = {}) => {
    const hears = () => void heard.push(canInterrupt?.() ?? true);
    hears();
    // A line may come in pieces.
    for (const text of [
      " = p1 impo",
      "rted (0.1s)\n",
      " = p2 imported (0.1s)\n",
      " = p3 imported (0.1s)\n",
    ]) {
      onOutput?.(text);
      hears();
    }
    return { code: 0, stdout: "", stderr: "" };
  };
  // Of a stack, an import asks for no more.
  const stack = { name: "dev", runOrThrow } as unknown as Stack;
  const terminal = { stream: undefined, print: () => {} };
  const run = new ImportRun(stack, { apply: true } as ImportOptions, terminal);
  expect(await importEntries({ resources: ENTRIES }, run)).toBe(true);
  expect(heard).toEqual([false, false, true, true, false]);
});
