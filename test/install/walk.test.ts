import { copyFile, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { run, start } from "../../tools/child.mjs";
import { ensureEngine } from "../../tools/engine/setup.mjs";
import { ensurePnpm } from "../../tools/installation.mjs";
import { ensureNode } from "../../tools/npm-package.mjs";
import { guide, readme } from "../docs/readme";
import { edited, stepsBelow } from "../docs/steps";
import { pixels, websites } from "../service";

const [make, settings, program, emulator, deploy, change, look, destroy] = stepsBelow("Your first program");

/** The guide's setting for pnpm, without which an install ends with an error. */
const [, SETTING = "none"] = /`(allowBuilds:[^`]+)`/.exec(guide) ?? [];

/** What the guide says to type with pnpm: `pnpm add` and `pnpm exec` instead of `npm install` and `npx`. */
const [, add = "", exec = "", install = "none", npx = "none"] =
  /`(pnpm[^`]*)` and `(pnpm[^`]*)` instead of `([^`]+)` and `([^`]+)`/.exec(guide) ?? [];

/** Each with a version of Node.js: npm with a later one than the oldest, pnpm with the one that this runs on. */
const managers = {
  npm: { node: () => ensureNode("24"), as: (line: string) => line },
  pnpm: {
    node: async () => dirname(process.execPath),
    as: (line: string) =>
      line
        .replace(/^cd .*/m, (cd) => `${cd}\necho '${SETTING}' > pnpm-workspace.yaml`)
        .replaceAll(install, add)
        .replaceAll(npx, exec),
  },
};

describe.each(Object.keys(managers) as (keyof typeof managers)[])("with %s", (manager) => {
  it("can be followed line by line as the README has it, from the install to destroy", {
    timeout: 600_000,
  }, async () => {
    const { node, as } = managers[manager];
    const { clone, env } = await newcomer(await node());
    // The clone has the tarball already.
    const [pack, ...lines] = make?.text.split("\n") ?? [];
    expect(pack).toBe("npm pack");
    await run("bash", ["-e", "-c", as(lines.join("\n"))], { cwd: clone, env });
    const project = join(clone, "..", "my-tracking");
    if (manager === "pnpm") {
      // As CI does.
      await rm(join(project, "node_modules"), { recursive: true });
      await run("bash", ["-c", "pnpm install --frozen-lockfile"], { cwd: project, env });
    }
    for (const step of [settings, program]) {
      const [, file = ""] = /as `([^`]+)`/.exec(step?.above ?? "") ?? [];
      await writeFile(join(project, file), `${step?.text}\n`);
    }
    const [, port = ""] = /--port (\d+)$/.exec(emulator?.text ?? "") ?? [];
    const url = await serve(project, env, as(emulator?.text ?? "").replace(port, "0"));
    /** Runs lines in the folder, with what earlier ones export. */
    const enter = async (text: string, fails = false) => {
      const here = text.replaceAll(`http://127.0.0.1:${port}`, url);
      exported.push(...here.split("\n").filter((line) => line.startsWith("export ")));
      const script = [...exported, here].join("\n");
      const { code, stdout, stderr } = await start("bash", ["-e", "-c", script], { cwd: project, env })
        .finished;
      expect(code === 0, stdout + stderr).toBe(!fails);
      return stdout + stderr;
    };
    // What a person answers.
    const exported = ["export PULUMI_SKIP_CONFIRMATIONS=true"];
    const stored = async (path: string) => {
      const headers = { Authorization: "Bearer local-key", Accept: "application/json" };
      return ((await (await fetch(url + path, { headers })).json()) as { data: unknown[] }).data;
    };

    expect(await enter(deploy?.text ?? "")).toContain("+ 3 created");
    expect(await stored(websites)).toMatchObject([{ domain: "shop.example.com", privacy: 1, email: 1 }]);
    expect(await stored(pixels)).toMatchObject([{ name: "Google Analytics" }]);
    // The types are right.
    exported.push("export PULUMI_NODEJS_TRANSPILE_ONLY=true");

    expect(await enter(as("npx pulumi-tracking doctor"))).toContain("1 website");
    // What the program and the environment say is the same with each.
    if (manager === "npm") {
      await writeFile(join(project, "index.ts"), `${edited(program?.text ?? "", change?.text ?? "")}\n`);
      const preview = await enter(look?.text ?? "");
      const [, message = "none"] = /and warns:\s`(.+?)`/.exec(readme) ?? [];
      for (const text of [
        message,
        "emailReports: true => false",
        '+ [2]: "203.0.113.9"',
        'privacy     : "private" => "public"',
      ])
        expect(preview).toContain(text);
      expect(await enter("env -u PULUMI_CONFIG_PASSPHRASE npx pulumi-tracking doctor", true)).toMatch(
        /passphrase must be set with PULUMI_CONFIG_PASSPHRASE.*\n1 error, no warnings/s,
      );
    }

    expect(await enter(destroy?.text ?? "")).toContain("- 3 deleted");
    expect([...(await stored(websites)), ...(await stored(pixels))]).toEqual([]);
  });
});

/** A fresh home folder without Pulumi settings, with a clone in which the package was packed. */
async function newcomer(node: string): Promise<{ clone: string; env: Record<string, string> }> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "pulumi-tracking-newcomer-")));
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const clone = join(home, "clone");
  const programs = join(home, "programs");
  for (const folder of [clone, programs]) await mkdir(folder);
  const tarball = inject("tarball");
  await copyFile(tarball, join(clone, basename(tarball)));
  await symlink(join(await ensurePnpm(), "pnpm"), join(programs, "pnpm"));
  const { bin } = await ensureEngine({ log: () => {} });
  const path = [programs, node, bin, dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"];
  // The engine asks the system for the home folder, and ignores HOME.
  return {
    clone,
    env: {
      ...(await registry()),
      HOME: home,
      PULUMI_HOME: join(home, ".pulumi"),
      PATH: path.join(delimiter),
    },
  };
}

/** This machine's registry settings and cache. */
async function registry(): Promise<Record<string, string>> {
  const names = ["registry", "cache"];
  const { stdout } = await run("npm", ["config", "get", ...names]);
  const ways = names.map((name) => [
    `npm_config_${name}`,
    new RegExp(`^${name}=(.+)$`, "m").exec(stdout)?.[1] ?? "",
  ]);
  const proxies = Object.entries(process.env).filter(([name]) => /_proxy$|^NODE_EXTRA_CA_CERTS$/i.test(name));
  return Object.fromEntries([...ways, ...proxies, ["npm_config_prefer_offline", "true"]]);
}

/** Starts the service, and gives its address. */
async function serve(cwd: string, env: Record<string, string>, line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const show = (text: string) => {
      said += text;
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    };
    const running = start("bash", ["-c", `exec ${line}`], { cwd, env, show, group: true });
    onTestFinished(() => running.stop());
    running.finished.then(() => reject(new Error(`The service ended: ${said}`)), reject);
  });
}
