import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { start } from "../../tools/child.mjs";
import { ROOT } from "../../tools/root.mjs";

const SETTINGS = join(ROOT, "typedoc.json");

describe("the reference", () => {
  it("has text for every export and every member, and no broken link", async () => {
    expect(await complaints(SETTINGS)).toEqual({ code: 0, said: [] });
  });

  it("fails if text is missing or a link is broken", async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "pulumi-tracking-reference-")));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const files = {
      "index.ts":
        "export const silent = 1;\n/** As {@link Nobody}. */\nexport interface Told {\n  quiet: string;\n}\n",
      "tsconfig.json": JSON.stringify({ files: ["index.ts"], compilerOptions: { types: [] } }),
      "typedoc.json": JSON.stringify({
        extends: [SETTINGS],
        entryPoints: ["index.ts"],
        tsconfig: "tsconfig.json",
        intentionallyNotExported: [],
      }),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const { code, said } = await complaints(join(folder, "typedoc.json"));
    expect(code).not.toBe(0);
    expect(said.join("\n")).toContain("silent (Variable)");
    expect(said.join("\n")).toContain("Told.quiet (Property)");
    expect(said.join("\n")).toContain("Nobody");
  });
});

/** TypeDoc's warnings with these settings; it writes nothing. */
async function complaints(settings: string) {
  const typedoc = join(ROOT, "node_modules", "typedoc", "bin", "typedoc");
  const { code, stdout, stderr } = await start(
    process.execPath,
    [typedoc, "--emit", "none", "--options", settings],
    { cwd: ROOT, env: { ...process.env, NO_COLOR: "1" } },
  ).finished;
  return {
    code,
    said: `${stdout}\n${stderr}`.split("\n").filter((line) => /^\[(warning|error)\]/.test(line)),
  };
}
