import { cp, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { run } from "../../../tools/child.mjs";
import type { Project } from "../../../tools/project.mjs";
import { blocks, languages } from "../../docs/readme";
import { PLUGIN } from "../fresh-project";
import { useHarness } from "../harness";
import { generatePackage, missingHost } from "./hosts";
import { pythonEnvironment } from "./virtualenv";

const settings = {
  python: "main: program\nruntime: python\n",
  go: "runtime: { name: go, options: { binary: bin/example } }\n",
};

/** Puts the example into a project, with the generated package. */
const prepare = {
  python: async (project: Project) => {
    project.env = await pythonEnvironment(project.env);
    await project.write("program/__main__.py", blocks("python", languages).join(""));
  },
  go: async (project: Project) => {
    const folder = await mkdtemp(join(inject("projects"), "go-"));
    await cp(join(__dirname, "go"), folder, { recursive: true });
    await generatePackage("go", join(folder, "sdk"), project.env);
    await mkdir(join(folder, "example"));
    await writeFile(join(folder, "example", "main.go"), blocks("go", languages).join(""));
    const bin = join(project.folder, "bin");
    await mkdir(bin);
    await run("go", ["build", "-mod=readonly", "-o", bin, "./example"], { cwd: folder });
  },
};
/** What makes programs of a language, and a machine may lack. */
const tools = { python: ["python3", "-c", "import venv"], go: ["go", "version"] } as const;

// `page.test.ts` shows a website's whole life from YAML.
describe.each(["python", "go"] as const)("the documents' example in %s", (language) => {
  const world = useHarness(
    { files: { "Pulumi.yaml": `name: fresh\n${settings[language]}${PLUGIN}` } },
    "native",
  );

  it("runs as it is written, and keeps its website", async ({ skip }) => {
    const missing = missingHost(language, world.project.env);
    if (missing !== undefined) return skip(missing);
    const [tool, ...args] = tools[language];
    const lacking = await run(tool, args).catch((error: Error) => error);
    if (lacking instanceof Error) return skip(lacking.message);
    await prepare[language](world.project);

    await world.up();
    expect(await world.website("shop.example.com")).toMatchObject({ exclude_ips: "192.0.2.0/24" });
    expect(await world.pixel("Analytics")).toMatchObject({ type: "google-analytics", value: "G-12345" });
    expect((await world.up()).written).toEqual([]);
    const stack = (await world.state()).find(({ type }) => type === "pulumi:pulumi:Stack");
    expect(stack?.outputs).toEqual({ privacy: "private", websites: 1 });
    const { output } = await world.fail(["destroy", "--yes", "--skip-preview"]);
    expect(output).toContain("deletionProtection (in Python deletion_protection)");
    expect(await world.service.websites()).toHaveLength(1);
  });
});
