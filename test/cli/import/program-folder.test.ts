import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lineFor } from "../../../cli/import/program-folder";

async function project(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "program-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

const plain = "name: fresh\nruntime: nodejs\n";

test.each([
  { says: "beside Pulumi.yaml", files: {}, main: "", out: "tracking.ts", line: "./tracking" },
  { says: "named with ./", files: {}, main: "", out: "./tracking.ts", line: "./tracking" },
  {
    says: "in the folder of main",
    files: { "infra/index.ts": "" },
    main: "main: infra\n",
    out: "infra/tracking.ts",
    line: "./tracking",
  },
  {
    says: "above the folder of main",
    files: { "infra/index.ts": "" },
    main: "main: infra/\n",
    out: "tracking.ts",
    line: "../tracking",
  },
  {
    says: "below it, where main is a file",
    files: { "infra/index.ts": "" },
    main: "main: ./infra/index.ts\n",
    out: "infra/parts/a.ts",
    line: "./parts/a",
  },
  {
    says: "in a program of ES modules",
    files: { "package.json": '{"type":"module"}' },
    main: "",
    out: "tracking.ts",
    line: "./tracking.js",
  },
])("the line that takes in a file $says fits the program's own place", async ({ files, main, out, line }) => {
  const folder = await project({ "Pulumi.yaml": plain + main, ...files });
  expect(await lineFor(out, "ts", folder)).toBe(`import "${line}";`);
});

test("the command may be run in a folder below the project's", async () => {
  const folder = await project({ "Pulumi.yaml": `${plain}main: infra\n`, "infra/index.ts": "" });
  expect(await lineFor("tracking.ts", "ts", join(folder, "infra"))).toBe('import "./tracking";');
});

test("YAML is named from where the program runs", async () => {
  const folder = await project({ "Pulumi.yaml": `${plain}main: infra\n`, "infra/index.ts": "" });
  expect(await lineFor("tracking.yaml", "yaml", folder)).toBe('tracking.declareFrom("../tracking.yaml");');
});
