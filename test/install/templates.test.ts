import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { type ChildOptions, run } from "../../tools/child.mjs";
import { ensureEngine } from "../../tools/engine/setup.mjs";
import { linkModules, projectEnvironment } from "../../tools/project.mjs";
import { ROOT } from "../../tools/root.mjs";
import { KEY } from "../engine/harness";
import { service, type TestService } from "../service";
import { scratch } from "./clone";

let emulator: TestService;
let root: string;
let env: NodeJS.ProcessEnv;
let before: string | undefined;

beforeAll(async () => {
  root = await scratch("templates", afterAll);
  for (const folder of ["home", "backend"]) await mkdir(join(root, folder));
  emulator = await service({ apiKey: KEY }, afterAll);
  const engine = await ensureEngine({ log: () => {} });
  env = {
    ...projectEnvironment(engine.env, join(root, "home"), join(root, "backend")),
    npm_config_prefer_offline: "true",
    npm_config_audit: "false",
    npm_config_fund: "false",
  };
});

it.each(["typescript", "yaml"])(
  "the template %s makes a program that creates its resources",
  { timeout: 900_000 },
  async (name) => {
    const folder = join(root, `new-${name}`);
    await mkdir(folder);
    // What npm has got for the one before, it need not get again.
    if (before !== undefined) {
      await copyFile(join(before, "package-lock.json"), join(folder, "package-lock.json"));
      await linkModules(before, folder);
    }
    before = folder;
    const options: ChildOptions = { cwd: folder, env };
    const { stdout } = await run(
      "pulumi",
      [
        "new",
        join(ROOT, "templates", name),
        "--yes",
        "--force",
        "--name",
        `made-of-${name}`,
        "--stack",
        "dev",
        "--color=never",
      ],
      options,
    );
    expect(stdout).toContain("Your new project is ready to go!");
    expect(stdout).toContain("npm install ./pulumi-tracking-0.1.0.tgz");

    await run("npm", ["install", inject("tarball")], options);
    const addresses = ["analyticsBaseUrl", "dataBaseUrl"].flatMap((key) => [
      "--plaintext",
      `tracking:${key}=${emulator.url}`,
    ]);
    const config = ["config", "set-all", "--secret", `tracking:apiKey=${KEY}`, ...addresses];
    await run("pulumi", config, options);
    // The engine compiles the program and checks its types.
    await run("pulumi", ["up", "--yes", "--skip-preview", "--non-interactive"], options);
    expect(emulator.control.websites()).toMatchObject([{ domain: "shop.example.com", email: 1 }]);
    expect(emulator.control.pixels()).toMatchObject([{ name: "Google Analytics" }]);
    emulator.control.seed({ websites: [], pixels: [] });
  },
);
