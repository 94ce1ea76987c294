import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, it, onTestFinished } from "vitest";
import { INSTALL } from "../../tools/installation.mjs";
import { createProject } from "../../tools/project.mjs";
import { environmentFor, headOf, LEAN, PLAIN, PLUGIN, PROGRAM } from "../engine/fresh-project";
import { declare, literal } from "../engine/harness";

/** A pack that is a program the engine starts itself. Of a folder, it would ask a language host that only official engines have. */
const PACK = "pack";
const SCRIPT = `#!/bin/sh
cd "$(dirname "$0")"
exec node node_modules/@pulumi/pulumi/cmd/run-policy-pack "$1" .
`;

it("the example's policies, over a program in both forms, refuse what each names, and let the rest pass", async () => {
  const files = {
    "Pulumi.yaml": PLAIN + PLUGIN,
    [PACK]: SCRIPT,
    // Without it, the engine would run the pack as the program.
    "program/package.json": '{ "main": "index.js" }',
  };
  const project = await createProject({ from: "examples/policies", like: inject("installed"), files });
  onTestFinished(() => project.remove());
  const { folder } = project;
  // All but the packages for policies is there already.
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  manifest.dependencies["pulumi-tracking"] = "file:pulumi-tracking.tgz";
  await project.write("package.json", JSON.stringify(manifest));
  await INSTALL.npm(folder);
  await chmod(join(folder, PACK), 0o755);
  const locked = { privacy: "password", password: "p4ss-w0rd" };
  const blocks = (["dynamic", "native"] as const).map((form) => {
    const website = (name: string, args: object, opts: object = {}) =>
      declare("Website", `${name}-${form}`, { domain: `${name}-${form}.example.com`, ...args }, opts);
    return `{\n${headOf(form)}
      ${website("open", { privacy: "public" })}
      ${website("free", {}, { protect: false })}
      ${website("locked", locked)}
      ${website("shop", {})}
      ${declare("Pixel", `ga-${form}`, { name: form, type: "bing", value: "B-1" })}\n}\n`;
  });
  /** A website as a program in another language declares it: the plugin's argument protects it, and no option. */
  const inYaml = (name: string, args: object) =>
    `new pulumi.CustomResource("tracking:index:Website", "${name}", ${literal({ domain: `${name}.example.com`, ...args })});\n`;
  const others = inYaml("bare", { deletionProtection: false }) + inYaml("blog", {});
  await project.write(PROGRAM, `const pulumi = require("@pulumi/pulumi");\n${blocks.join("")}${others}`);

  const { stdout } = await project.pulumi(["preview", "--policy-pack", join(project.folder, PACK)], {
    env: { ...LEAN, ...environmentFor("http://127.0.0.1:9") },
    expectFailure: true,
  });
  const refused = [...stdout.matchAll(/\[mandatory\] +(\S+) +\(\S+: (\S+)\)\n.*\n +(.*)/g)];
  const protect = "must be protected: remove its option protect: false in TypeScript, or its argument";
  expect(refused.map(([, ...row]) => row.join(" | "))).toEqual([
    "no-passwords | locked-dynamic | locked-dynamic.example.com must not have a password in the program.",
    "no-passwords | locked-native | locked-native.example.com must not have a password in the program.",
    "no-public-statistics | open-dynamic | The statistics page of open-dynamic.example.com must not be public.",
    "no-public-statistics | open-native | The statistics page of open-native.example.com must not be public.",
    expect.stringContaining(`protected-websites | free-dynamic | free-dynamic.example.com ${protect}`),
    expect.stringContaining(`protected-websites | bare | bare.example.com ${protect}`),
    expect.stringContaining(`protected-websites | free-native | free-native.example.com ${protect}`),
  ]);
  expect(stdout).not.toContain("p4ss-w0rd");
  // A policy that fails by itself refuses nothing.
  expect(new Set(stdout.match(/\berror: .*/g))).toEqual(new Set(["error: preview failed"]));
});
