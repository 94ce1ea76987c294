import { existsSync, readdirSync, readFileSync } from "node:fs";
import { lstat, mkdir, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { run } from "../../tools/child.mjs";
import { ROOT } from "../../tools/root.mjs";
import { blocks } from "../docs/readme";
import { copySources, scratch } from "./clone";

const names = readdirSync(join(ROOT, "examples")).filter((name) =>
  existsSync(join(ROOT, "examples", name, "package.json")),
);
const COPIED = "tracking-in-git";
const manifest = readFileSync(join(ROOT, "package.json"), "utf8");

describe("an example, in a clone that was never built,", { timeout: 900_000 }, () => {
  let root: string;
  let clone: string;
  beforeAll(async () => {
    root = await scratch("examples", afterAll);
    clone = join(root, "clone");
    await mkdir(clone);
    await copySources(clone);
    await symlink(join(ROOT, "node_modules"), join(clone, "node_modules"));
  });

  /** Runs commands in sequence, as a shell does. */
  const shell = (folder: string, commands: string) =>
    run("sh", ["-e", "-c", commands], {
      cwd: folder,
      env: {
        ...process.env,
        npm_config_prefer_offline: "true",
        npm_config_audit: "false",
        npm_config_fund: "false",
      },
    });
  /** The package is there, built, as a separate copy. */
  const expectPackage = async (folder: string) => {
    const place = join(folder, "node_modules", "pulumi-tracking");
    expect((await lstat(place)).isDirectory()).toBe(true);
    expect(existsSync(join(place, "dist", "sdk", "index.js"))).toBe(true);
  };

  it("is ready after npm install in its folder", async () => {
    const folder = join(clone, "examples", "quickstart");
    await shell(folder, "npm install");
    await expectPackage(folder);
  });

  it("is ready as a copy elsewhere, as its README says, with the same package byte for byte, and after CI's npm ci", async () => {
    const [install = ""] = blocks(
      "bash",
      await readFile(join(clone, "examples", COPIED, "README.md"), "utf8"),
    );
    // As an npm pack leaves it that is interrupted.
    await shell(clone, "npm pkg delete scripts.prepare");
    await rm(join(clone, "dist"), { recursive: true, force: true });
    // What it would install, CI installs below.
    await shell(clone, `export npm_config_package_lock_only=true\n${install}`);
    expect(readFileSync(join(clone, "package.json"), "utf8")).toBe(manifest);
    const folder = join(root, `my-${COPIED}`);
    const [tarball = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
    const same = readFileSync(join(folder, tarball)).equals(readFileSync(inject("tarball")));
    expect(same, tarball).toBe(true);
    await rm(clone, { recursive: true });
    await shell(folder, "npm ci");
    await expectPackage(folder);
    await shell(folder, "npx tsc --noEmit");
  });
});

it.each(names)("the example %s says how to install it, in the same way as the others", async (name) => {
  const textOf = (file: string, of = name) => readFile(join(ROOT, "examples", of, file), "utf8");
  const manifest = JSON.parse(await textOf("package.json"));
  expect(manifest.dependencies).toMatchObject({ "pulumi-tracking": "file:../.." });
  expect(await textOf(".npmrc")).toBe("install-links=true\n");
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const [, folder] = /^cp -r examples\/\S+ \.\.\/(\S+)$/m.exec(await textOf("README.md")) ?? [];
  expect(blocks("bash", await textOf("README.md"))).toContain(
    [
      `cp -r examples/${name} ../${folder}`,
      `npm pack --pack-destination ../${folder}`,
      `cd ../${folder}`,
      `npm install ./pulumi-tracking-${version}.tgz\n`,
    ].join("\n"),
  );
});
