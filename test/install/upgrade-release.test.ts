import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, it, onTestFinished } from "vitest";
import { run } from "../../tools/child.mjs";
import { createProject } from "../../tools/project.mjs";
import { ROOT } from "../../tools/root.mjs";
import { environmentFor } from "../engine/fresh-project";
import { useHarness } from "../engine/harness";
import { scratch } from "./clone";

const world = useHarness();

/** The first commit whose state is held, as the releases that are out there. */
const GOLDEN = "test/engine/golden/0.1.0.json";

const PROGRAM = `
const tracking = require("pulumi-tracking");
new tracking.Website("shop", { domain: "shop.example.com", excludeIps: ["192.0.2.0/24"] }, { protect: false });
new tracking.Website("closed", { domain: "closed.example.com", privacy: "password", password: "a-golden-password" }, { protect: false });
new tracking.Pixel("pixel", { name: "P", type: "quora", value: "1" });
`;

it.runIf(inject("earlierRelease"))(
  "what the code of an earlier release made previews no change under this one, and is destroyed without an up",
  async () => {
    const project = await createProject({ files: { "index.js": PROGRAM }, tarball: await earlierPackage() });
    onTestFinished(() => project.remove());
    const env = environmentFor(world.service.url);
    await project.pulumi(["up", "--yes", "--skip-preview"], { env });
    const domains = (await world.service.websites()).map(({ domain }) => domain);
    expect(domains.sort()).toEqual(["closed.example.com", "shop.example.com"]);

    await project.install({ tarball: inject("tarball") });
    const since = await world.service.mark();
    await project.pulumi(["preview", "--expect-no-changes"], { env });
    await project.pulumi(["refresh", "--yes", "--skip-preview", "--expect-no-changes"], { env });
    await project.pulumi(["destroy", "--yes", "--skip-preview"], { env });
    const sent = (await world.service.requests()).filter(({ index }) => index >= since);
    const writes = sent.map(({ method }) => method).filter((method) => method !== "GET");
    expect(writes).toEqual(["DELETE", "DELETE", "DELETE"]);
    expect([...(await world.service.websites()), ...(await world.service.pixels())]).toEqual([]);
  },
);

/** The package of that commit, built by its own tools. */
async function earlierPackage(): Promise<string> {
  const folder = await scratch("earlier", onTestFinished);
  const [sources, packed] = [join(folder, "sources"), join(folder, "packed")];
  for (const each of [sources, packed]) await mkdir(each);
  const added = ["log", "--diff-filter=A", "--format=%H", "--", GOLDEN];
  const { stdout: commit } = await run("git", added, { cwd: ROOT });
  const env = { ...process.env, GIT_INDEX_FILE: join(folder, "index") };
  await run("git", [`--work-tree=${sources}`, "checkout", commit.trim(), "--", "."], { cwd: ROOT, env });
  await symlink(join(ROOT, "node_modules"), join(sources, "node_modules"));
  await run(process.execPath, ["tools/build.mjs"], { cwd: sources });
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", packed], { cwd: sources });
  const [file = ""] = await readdir(packed);
  return join(packed, file);
}
