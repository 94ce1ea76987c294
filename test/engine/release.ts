import { mkdtemp, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { inject } from "vitest";
import { run } from "../../tools/child.mjs";
import { writeArchives } from "../../tools/plugin/release.mjs";
import { listening } from "../listening";

/** The system for which an engine asks that runs here. */
const HERE = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;

/** Serves a release's archive for this system, of the packed package, and gives the address and the names that are asked for. */
export async function serveRelease(tarball: string): Promise<{ url: string; asked: string[] }> {
  const folder = await mkdtemp(join(inject("projects"), "release-"));
  await run("tar", ["-xzf", tarball, "-C", folder]);
  const plugin = join(folder, "package", "dist", "plugin", "pulumi-resource-tracking.js");
  const names = await writeArchives(folder, plugin, [HERE]);
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const name = basename(request.url ?? "");
    asked.push(name);
    if (names.includes(name)) response.end(await readFile(join(folder, name)));
    else response.writeHead(404).end();
  });
  return { url: `http://127.0.0.1:${await listening(server)}`, asked };
}
