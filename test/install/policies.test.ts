import { chmod } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { beforeAll, expect, inject, it } from "vitest";
import { createProject, type Project } from "../../tools/project.mjs";
import { environmentFor, headOf, LEAN, PLAIN, PLUGIN, PROGRAM } from "../engine/fresh-project";
import { declare, literal } from "../engine/harness";

/** Starts a pack as the engine's own language host does; hosts from the module proxy can't. */
const LAUNCHER = "pulumi-analyzer-policy-script";
const SCRIPT = '#!/bin/sh\nexec node node_modules/@pulumi/pulumi/cmd/run-policy-pack "$@"\n';

let project: Project;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  const files = {
    "Pulumi.yaml": PLAIN + PLUGIN,
    "PulumiPolicy.yaml": "runtime: script\n",
    [LAUNCHER]: SCRIPT,
    // Without it, the engine would run the pack as the program.
    "program/package.json": '{ "main": "index.js" }',
  };
  project = await createProject({ from: "examples/policies", tarball: inject("tarball"), files });
  await chmod(join(project.folder, LAUNCHER), 0o755);
  env = {
    ...LEAN,
    ...environmentFor("http://127.0.0.1:9"),
    PATH: [project.folder, project.env.PATH].join(delimiter),
  };
  return () => project.remove();
});

it.for(["dynamic", "native"] as const)(
  "the example's policies, over a program in the %s form, refuse what each names, and let the rest pass",
  async (form, { skip }) => {
    const preview = async (body: string, expectFailure: boolean) => {
      await project.write(PROGRAM, headOf(form) + body);
      const ran = project.pulumi(["preview", "--policy-pack", "."], { env, expectFailure });
      const done = await ran.catch((error: Error) => error);
      const text = done instanceof Error ? done.message : done.stderr;
      skip(text.includes("pulumi-language-script"), "this engine loads packs by its own language hosts only");
      if (done instanceof Error) throw done;
      return done.stdout;
    };
    /** A website as a program in another language declares it: the plugin's argument protects it, and no option. */
    const inYaml = (name: string, args: object) => {
      const declared = `new pulumi.CustomResource("tracking:index:Website", "${name}", ${literal(args)});\n`;
      return form === "native" ? declared : "";
    };

    const locked = { domain: "locked.example.com", privacy: "password", password: "p4ss-w0rd" };
    const refused = await preview(
      declare("Website", "open", { domain: "open.example.com", privacy: "public" }) +
        declare("Website", "free", { domain: "free.example.com" }, { protect: false }) +
        declare("Website", "locked", locked) +
        inYaml("bare", { domain: "bare.example.com", deletionProtection: false }),
      true,
    );
    for (const [policy, sentence] of [
      ["no-public-statistics", "The statistics page of open.example.com must not be public."],
      ["protected-websites", "free.example.com must be protected: remove its option protect: false"],
      ...(form === "native" ? [["protected-websites", "bare.example.com must be protected: "]] : []),
      ["no-passwords", "locked.example.com must not have a password in the program."],
    ])
      expect(refused).toMatch(new RegExp(`${policy}[^]*${sentence}`));
    expect(refused).not.toContain("p4ss-w0rd");

    const passed = await preview(
      declare("Website", "shop", { domain: "shop.example.com" }) +
        declare("Pixel", "ga", { name: "GA", type: "bing", value: "B-1" }) +
        inYaml("blog", { domain: "blog.example.com" }),
      false,
    );
    expect(passed).toContain(form === "native" ? "4 to create" : "3 to create");
    expect(passed).not.toContain("mandatory");
  },
);
