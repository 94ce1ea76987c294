import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { run } from "../../../tools/child.mjs";
import { ensureEngine } from "../../../tools/engine/setup.mjs";
import { projectEnvironment } from "../../../tools/project.mjs";
import { ROOT } from "../../../tools/root.mjs";
import { commandsBelow, languages } from "../../docs/readme";
import { scratch } from "../../install/clone";
import { service } from "../../service";
import { KEY } from "../fresh-project";
import { serveRelease } from "../release";
import { missingHost } from "./hosts";

it.for([
  ["pulumi-yaml", "yaml"],
  ["python", "python"],
] as const)(
  "the template %s makes a program that creates its resources, once the plugin is installed",
  async ([name, language], { skip }) => {
    const engine = await ensureEngine({ log: () => {} });
    const missing = missingHost(language, engine.env);
    if (missing !== undefined) return skip(missing);
    const root = await scratch("template", onTestFinished);
    for (const folder of ["home", "backend", "made"]) await mkdir(join(root, folder));
    const env = projectEnvironment(engine.env, join(root, "home"), join(root, "backend"));
    const emulator = await service({ apiKey: KEY }, onTestFinished);
    const { url } = await serveRelease();
    const pulumi = (...args: string[]) => run("pulumi", args, { cwd: join(root, "made"), env });

    // In YAML, a new stack would want the plugin before it is installed.
    const named = ["--generate-only", "--yes", "--name", `made-of-${language}`, "--color=never"];
    const { stdout } = await pulumi("new", join(ROOT, "templates", name), ...named);
    const [add = ""] = commandsBelow("Install", languages);
    expect(stdout).toContain(add);
    await pulumi(
      ...add
        .replace(/github:\S+/, url)
        .split(" ")
        .slice(1),
    );
    await pulumi("stack", "init", "dev");
    for (const key of ["analyticsBaseUrl", "dataBaseUrl"])
      await pulumi("config", "set", `tracking:${key}`, emulator.url);
    await pulumi("config", "set", "--secret", "tracking:apiKey", KEY);
    await pulumi("up", "--yes", "--skip-preview", "--non-interactive");
    expect(emulator.control.websites()).toMatchObject([{ domain: "shop.example.com", email: 1 }]);
    expect(emulator.control.pixels()).toMatchObject([{ name: "Google Analytics" }]);
  },
);
