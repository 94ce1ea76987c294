import { mkdtemp, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { inject } from "vitest";
import { bundlePlugin } from "../../tools/plugin/bundle.mjs";
import { writeArchives } from "../../tools/plugin/release.mjs";
import { listening } from "../listening";

/** The system for which an engine asks that runs here. */
const HERE = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;

/** Serves a release's archive for this system, and gives the address and the names that are asked for. */
export async function serveRelease(): Promise<{ url: string; asked: string[] }> {
  const folder = await mkdtemp(join(inject("projects"), "release-"));
  const plugin = join(folder, "plugin.js");
  await bundlePlugin(plugin, { isWhole: true });
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
