import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { programManifest } from "../../tools/manifest.mjs";
import { Project } from "../../tools/project.mjs";
import { executable } from "./engine/engines.js";

describe("a project", () => {
  let root: string;
  let project: Project;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "project-"));
    const bin = join(root, "bin");
    const environment = { PULUMI_ACCESS_TOKEN: "theirs", PULUMI_STACK: "theirs", TRACKING_API_KEY: "theirs" };
    const env = { ...process.env, ...environment, PATH: [bin, process.env.PATH].join(delimiter) };
    project = new Project(join(root, "project"), { bin, version: "3.258.0", env });
    mkdirSync(project.folder, { recursive: true });
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const engine = (script: string) => executable(join(root, "bin"), "pulumi", `#!/bin/sh\n${script}\n`);

  it("is isolated from the user's settings", async () => {
    engine("env");
    const { stdout } = await project.pulumi(["about"]);
    expect(stdout).not.toContain("theirs");
    expect(stdout).toContain(`PULUMI_HOME=${project.home}\n`);
    expect(stdout).toContain(`PULUMI_BACKEND_URL=${pathToFileURL(project.backend).href}\n`);
  });

  it("passes further options to a command, and asks no questions", async () => {
    engine('echo "$@" "$EXTRA"');
    const { stdout } = await project.pulumi(["up", "--yes", "a b"], { env: { EXTRA: "more" } });
    expect(stdout).toBe("up --yes a b --non-interactive --color=never more\n");
  });

  it("throws the engine's output if it fails unexpectedly", async () => {
    engine("echo half; echo why >&2; exit 255");
    await expect(project.pulumi(["up"])).rejects.toThrow(/^pulumi up failed \(255\)\nhalf\n+why$/);
    expect(await project.pulumi(["up"], { expectFailure: true })).toMatchObject({
      code: 255,
      stderr: "why\n",
    });
  });

  it("throws if it succeeds unexpectedly", async () => {
    engine("exit 0");
    await expect(project.pulumi(["up"], { expectFailure: true })).rejects.toThrow(
      "pulumi up succeeded against expectation",
    );
  });

  it("can be interrupted, and returns the output until then", async () => {
    engine('trap "echo stopped; exit 2" INT; echo begun; while :; do sleep 0.05; done');
    const running = await new Promise<ReturnType<Project["start"]>>((resolve) => {
      const started = project.start(["up"], { show: () => resolve(started) });
    });
    expect(running.output()).toBe("begun\n");
    running.stop("SIGINT");
    expect(await running.finished).toMatchObject({ code: 2, stdout: "begun\nstopped\n" });
  });

  it("gives the exported state as an object", async () => {
    engine('echo \'{ "version": 3, "deployment": {} }\'');
    expect(await project.state()).toEqual({ version: 3, deployment: {} });
  });

  it("writes into the program's folder, and removes everything", async () => {
    await project.write("lib/site.ts", "text");
    expect(readFileSync(join(project.folder, "lib", "site.ts"), "utf8")).toBe("text");
    await project.remove();
    expect(existsSync(project.root)).toBe(false);
  });

  it("depends on the packed package whatever its own package.json says", async () => {
    const dependencies = { "pulumi-tracking": "^0.1.0", other: "1.0.0", "@pulumi/pulumi": "^3.216.0" };
    await project.write("package.json", JSON.stringify({ type: "module", dependencies }));
    expect(await programManifest(project.folder, true, "3.230.0")).toEqual({
      type: "module",
      dependencies: {
        "pulumi-tracking": "file:pulumi-tracking.tgz",
        other: "1.0.0",
        "@pulumi/pulumi": "3.230.0",
      },
    });
    expect((await programManifest(project.folder, false)).dependencies).not.toHaveProperty("pulumi-tracking");
  });
});
