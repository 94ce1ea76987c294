import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { IGNORE_PROTECTION } from "../../../provider/config";
import { run } from "../../../tools/child.mjs";
import { ROOT } from "../../../tools/root.mjs";
import { blocks, commandsBelow, guide, languages, recipes, reference } from "../../docs/readme";
import { PLUGIN } from "../fresh-project";
import { KEY, line, useHarness } from "../harness";
import { missingHost } from "./hosts";

/** What `pulumi new` makes in a language, where the page's program goes, and what a machine may lack. */
const projects = {
  python: {
    runtime: "{ name: python, options: { toolchain: pip, virtualenv: venv } }",
    made: ["requirements.txt", "pulumi>=3.0.0,<4.0.0\n"],
    program: "__main__.py",
    after: "true",
    unitTest: ["test_shop.py", "venv/bin/python -m unittest"],
    needs: ["python3", "-c", "import venv"],
  },
  go: {
    runtime: "go",
    made: ["go.mod", "module fresh\n\ngo 1.26\n\nrequire github.com/pulumi/pulumi/sdk/v3 v3.258.0\n"],
    program: "main.go",
    unitTest: ["main_test.go", "go test"],
    after: /`(go mod tidy)`/.exec(languages)?.[1] ?? "",
    needs: ["go", "version"],
  },
} as const;
const add = commandsBelow("Install", languages).at(-1) ?? "";

/** The program with the option that the guide names, a new name for the pixel, and with Pulumi's protection of the website. */
function withOptions(language: keyof typeof projects, program: string): string {
  const isPython = language === "python";
  const row = new RegExp(`^\\| ${isPython ? "Python" : "Go"} \\| \`(.*aliases.*?)\` \\|$`, "im");
  const aliases = row.exec(guide)?.[1]?.replace('"help"', '"analytics"') ?? "";
  const protect = isPython ? "opts=pulumi.ResourceOptions(protect=True)" : "pulumi.Protect(true)";
  const renamed = program.replace('"analytics",', '"stats",');
  if (isPython)
    return renamed.replace('"shop",', `$&\n    ${protect},`).replace('"stats",', `$&\n    ${aliases},`);
  return renamed.replace(/"}\),\n\t+}/, `$&, ${protect}`).replace(/"G-12345"\),\n\t+}/, `$&, ${aliases}`);
}

/** The program with the reference's second account in it, at this address. */
function withAccounts(language: keyof typeof projects, program: string, url: string): string {
  const [accounts = ""] = blocks(language, reference["docs/reference/provider.md"]);
  const here = accounts.replace("https://stats.example.com", url);
  if (language === "python") return program + here;
  const [config = ""] = /^.*\/config"\n/m.exec(here) ?? [];
  const [, body = ""] = /error \{\n(.*)\t\treturn nil/s.exec(here) ?? [];
  return program.replace(/\t"github.*sdk.*"\n/, `$&${config}`).replace(/\t+ctx\.Export/, `${body}$&`);
}

/** The program whose function has a name, as a unit test in Go needs it. */
function named(program: string): string {
  return program
    .replace("pulumi.Run(func(ctx", "pulumi.Run(program)\n}\n\nfunc program(ctx")
    .replace(/\t\}\)\n\}\n$/, "}\n");
}

// `page.test.ts` follows the page in YAML.
describe.each(["python", "go"] as const)("the documents' example in %s", (language) => {
  const { runtime, made, program, after, needs, unitTest } = projects[language];
  const world = useHarness(
    { files: { "Pulumi.yaml": `name: fresh\nruntime: ${runtime}\n${PLUGIN}`, [made[0]]: made[1] } },
    "native",
  );

  it("runs as it is written, with the npm package, and keeps its website", async ({ skip }) => {
    const { project } = world;
    const missing = missingHost(language, project.env);
    if (missing !== undefined) return skip(missing);
    const [tool, ...args] = needs;
    const lacking = await run(tool, args).catch((error: Error) => error);
    if (lacking instanceof Error) return skip(lacking.message);
    const [text = ""] = blocks(language, languages);
    const [unit = ""] = blocks(language, recipes);
    await project.write(program, text);
    const shell = (line: string) => run("sh", ["-c", line], { cwd: project.folder, env: project.env });
    for (const each of [add, after]) await shell(each);
    const [file, runTests] = unitTest;
    await project.write(file, unit);
    await project.write(program, language === "go" ? named(text) : text);
    await shell(runTests);
    await rm(join(project.folder, file));
    await project.write(program, text);

    await world.up();
    expect(world.website("shop.example.com")).toMatchObject({ exclude_ips: "192.0.2.0/24" });
    expect(world.pixel("Analytics")).toMatchObject({ type: "google-analytics", value: "G-12345" });
    expect((await world.up()).written).toEqual([]);
    const stack = (await world.state()).find(({ type }) => type === "pulumi:pulumi:Stack");
    expect(stack?.outputs).toEqual({ privacy: "private", created: expect.any(String) });
    const { output } = await world.fail(["destroy", "--yes", "--skip-preview"]);
    expect(output).toContain(`${IGNORE_PROTECTION}=true`);
    expect(world.service.websites()).toHaveLength(1);

    await world.up();
    await world.run(["config", "set", "--secret", "agencyKey", KEY]);
    await project.write(program, withAccounts(language, text, world.service.url));
    await shell(after);
    expect((await world.up()).written.map(line)).toEqual(["POST /api/v1/websites"]);
    await world.expectNoChange();
    await project.write(program, withOptions(language, text));
    const renamed = await world.up({ env: { [IGNORE_PROTECTION]: "true" } });
    expect(renamed.written.map(line)).toEqual([expect.stringMatching(/^DELETE .*\/websites\//)]);
    expect(await world.resources()).toMatchObject({
      shop: { protect: true },
      stats: { type: "tracking:index:Pixel" },
    });
    if (language === "python") {
      await project.write(program, await readFile(join(ROOT, "examples", "python", program), "utf8"));
      expect((await world.up()).written.map(line)).toEqual([expect.stringMatching(/^DELETE .*\/pixels\//)]);
    }
    world.service.insertWebsite({ id: 10, domain: "ten.example.com" });
    const [command = ""] = commandsBelow("Import", languages);
    const imported = await world.run([...command.split(" ").slice(1), "--yes", "--skip-preview"]);
    expect(imported.output).toContain("ten.example.com");
  });
});
