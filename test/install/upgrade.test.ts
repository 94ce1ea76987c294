import { cp, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { run } from "../../tools/child.mjs";
import { ADD } from "../../tools/installation.mjs";
import { createProject, type Project } from "../../tools/project.mjs";
import { environmentFor, LEAN } from "../engine/fresh-project";
import { KEY, line } from "../engine/harness";
import { service } from "../service";

const PROGRAM = `
const tracking = require("pulumi-tracking");
new tracking.Website("shop", { domain: "shop.example.com" }, { protect: false });
new tracking.Pixel("pixel", { name: "P", type: "quora", value: "1" });
`;

/** A later version of the installed package, packed, with another user agent. */
async function laterVersion(project: Project): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-later-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const copy = join(folder, "package");
  const installed = await realpath(join(project.folder, "node_modules", "pulumi-tracking"));
  await cp(installed, copy, { recursive: true });
  const manifest = JSON.parse(await readFile(join(copy, "package.json"), "utf8"));
  await writeFile(join(copy, "package.json"), JSON.stringify({ ...manifest, version: "0.999.0" }));
  const mark = async (file: string) => {
    const text = await readFile(file, "utf8");
    const marked = text.replace(/("user-agent": )"pulumi-tracking"/, '$1"a-later-version"');
    if (marked !== text) await writeFile(file, marked);
    return marked !== text;
  };
  const entries = await readdir(join(copy, "dist"), { recursive: true, withFileTypes: true });
  const scripts = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".js"));
  const marks = await Promise.all(scripts.map(({ parentPath, name }) => mark(join(parentPath, name))));
  expect(marks).toContain(true);
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: copy });
  const file = (await readdir(folder)).find((name) => name.endsWith(".tgz"));
  return join(folder, file ?? "");
}

describe.each(["npm", "pnpm"] as const)("after an upgrade with %s", (packageManager) => {
  it("refresh and destroy run the new code without an up in between, and the old version still sees no change", async () => {
    const { url, control } = await service({ apiKey: KEY });
    const tarball = inject("tarball");
    const packages = packageManager === "npm" ? { like: inject("installed") } : { packageManager, tarball };
    const project = await createProject({ files: { "index.js": PROGRAM }, ...packages });
    onTestFinished(() => project.remove());
    const upgrade = (file: string) => ADD[packageManager](project.folder, file);
    const env = { ...LEAN, ...environmentFor(url) };
    const agents = () => [...new Set(control.requests().map(({ headers }) => headers["user-agent"]))];
    await project.pulumi(["up", "--yes", "--skip-preview"], { env });
    expect(agents()).toEqual(["pulumi-tracking"]);

    const later = await laterVersion(project);
    await upgrade(later);
    control.clearRequests();
    await project.pulumi(["preview", "--expect-no-changes"], { env });
    await project.pulumi(["refresh", "--yes", "--skip-preview", "--expect-no-changes"], { env });
    await upgrade(tarball);
    await project.pulumi(["preview", "--expect-no-changes"], { env });
    await upgrade(later);
    await project.pulumi(["destroy", "--yes", "--skip-preview"], { env });
    const requests = control.requests();
    expect(requests.map(line).filter((each) => each.startsWith("DELETE"))).toHaveLength(2);
    expect(agents()).toEqual(["a-later-version"]);
    expect([...control.websites(), ...control.pixels()]).toEqual([]);
  });
});
