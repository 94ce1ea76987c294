import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { pixel, website } from "../../provider/resources";
import { Engine } from "./ownership-engine";
import { type Story, story } from "./ownership-program";
import { rowsOf, violations } from "./ownership-rules";
import { parametersOf } from "./sizes";

let emulators: readonly Emulator[];
let folder: string;
beforeAll(async () => {
  emulators = [await startEmulator({ rateLimit: false }), await startEmulator({ rateLimit: false })];
  folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-ownership-"));
});
afterAll(async () => {
  for (const emulator of emulators) await emulator.close();
  await rm(folder, { recursive: true, force: true });
});

/** Tells a story to the end, and what it did that it may not. */
async function tell({ type, apart, planted, commands }: Story): Promise<string[]> {
  const resource = type === "Website" ? website : pixel;
  const place = (provider: number) => (apart ? provider : 0);
  const controls = emulators.map(({ control }) => control);
  const urls = [0, 1].map((provider) => emulators[place(provider)]?.url ?? "");
  const engine = new Engine(resource, urls, folder);
  for (const control of controls)
    await control.seed({
      websites: type === "Website" ? planted.map((key) => ({ domain: `k${key}.example.com` })) : [],
      pixels:
        type === "Pixel" ? planted.map((key) => ({ name: `k${key}`, type: "bing", value: "planted" })) : [],
    });
  let before = { rows: await rowsOf(resource, controls), entries: engine.state.entries };
  for (const [at, command] of commands.entries()) {
    const outcome = await engine.up(command);
    const after = { rows: await rowsOf(resource, controls), entries: engine.state.entries };
    const found = violations(place, command, before, after, outcome);
    if (found.length > 0) return found.map((text) => `run ${at + 1}: ${text}`);
    before = after;
  }
  await engine.destroy();
  const kept = await rowsOf(resource, controls);
  return before.rows
    .filter(
      ({ id, service }) =>
        !before.entries.some((entry) => entry.id === id && place(entry.provider) === service),
    )
    .filter((row) => !kept.some(({ text, service }) => text === row.text && service === row.service))
    .map(({ id }) => `destroy: ${id} is nobody's, and was changed or deleted`);
}

it("leaves each record with the one resource that has it, in any order of runs, providers and crashes", async () => {
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      expect(await tell(told)).toEqual([]);
    }),
    await parametersOf("ownership"),
  );
}, 3_600_000);
