import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { NamedRecord } from "../../../cli/import/generated-program";
import { programFiles, renderFile } from "../../../cli/import/program-file";
import { detectProgram } from "../../../cli/import/user-program";
import { pixel } from "../../../provider/resources";

const OURS: NamedRecord[] = [
  { name: "ga", resource: pixel, id: "1", state: { name: "GA", type: "google-analytics", value: "G-1" } },
];

/** A project whose file of the default name has this text, and the file that an import would write to. */
async function target(text: (file: string) => Promise<string> | string, force = false) {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-tracking-program-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  const out = join(folder, "tracking.ts");
  writeFileSync(out, await text(out));
  const found = await programFiles(out, "ts", await detectProgram(folder), force);
  return { file: basename(found.target.file), before: found.target.before };
}

/** What an import writes. */
const written = (file: string) =>
  renderFile({ file, before: undefined, format: "ts", importLine: "" }, OURS, "dynamic");

describe("an import to a file that is there", () => {
  it("adds to it where an import wrote it and nobody has changed it since", async () => {
    const { file, before } = await target(written);
    expect(file).toBe("tracking.ts");
    expect(before).toContain('name: "GA"');
  });

  it("takes the next free name where people wrote it", async () => {
    expect(await target(() => "export const mine = 1;\n")).toEqual({
      file: "tracking-2.ts",
      before: undefined,
    });
  });

  it("takes the next free name where people have changed what an import wrote", async () => {
    const edited = async (file: string) => (await written(file)).replace('"GA"', '"GB"');
    expect(await target(edited)).toEqual({ file: "tracking-2.ts", before: undefined });
  });

  it("adds to what people have changed where it is told to, and keeps it", async () => {
    const edited = async (file: string) => (await written(file)).replace('"GA"', '"GB"');
    const { file, before } = await target(edited, true);
    expect(file).toBe("tracking.ts");
    expect(before).toContain('name: "GB"');
  });
});
