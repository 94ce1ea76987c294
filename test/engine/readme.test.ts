import { expect, inject, it, onTestFinished } from "vitest";
import { connectEmulator, startEmulator } from "../../emulator";
import { createProject } from "../../tools/project.mjs";
import { blocks, readme } from "../docs/readme";
import { KEY } from "./world";

it("shows in the README what a preview of its program prints after the change that it tells of", async () => {
  const emulator = await startEmulator({ apiKey: KEY });
  onTestFinished(() => emulator.close());
  const [settings = ""] = blocks("yaml");
  const [program = ""] = blocks("ts");
  const project = await createProject({
    tarball: inject("tarball"),
    files: { "Pulumi.yaml": settings, "index.ts": program },
  });
  onTestFinished(() => project.remove());
  const env = {
    TRACKING_API_KEY: KEY,
    TRACKING_ANALYTICS_BASE_URL: emulator.url,
    TRACKING_DATA_BASE_URL: emulator.url,
  };
  await project.pulumi(["up", "--yes", "--skip-preview"], { env });
  expect(await connectEmulator(emulator.url).websites()).toHaveLength(1);

  const changed = program
    .replace('"198.51.100.7"]', '"198.51.100.7", "203.0.113.9"]')
    .replace("emailReports: true", "privacy: tracking.Privacy.Public");
  await project.write("index.ts", changed);
  const { stdout, stderr } = await project.pulumi(["preview", "--diff"], { env });
  expect(stdout.trim()).toBe(blocks("text")[0]?.trim());
  const [, warning] = /one line of warning: `(.+?)`/.exec(readme) ?? [];
  expect(stderr.trim()).toBe(warning);
});
