import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { StoredPixel, StoredWebsite } from "../../emulator";
import { pixels, websites } from "./golden/program";
import { declare, useHarness } from "./harness";
import { PASSPHRASE } from "./key-service";

const world = useHarness({ secrets: PASSPHRASE });

/**
 * What a release leaves behind: the exported stack and the service's records. A file is never rewritten. A later release
 * adds its own: this test writes it if there is none of that name.
 */
interface Golden {
  websites: StoredWebsite[];
  pixels: StoredPixel[];
  exported: object;
}

/** Replaces the service's address. */
const PLACE = "http://127.0.0.1:1";
/** With a hash of each file's text, so that none is changed by the way. */
const releases = {
  "0.1.0": "4b566912031ec59af1c561364444cbe60b8eee0679ae7fa280c22f8bbaf3f710",
};

const OPEN = { protect: false };
const PROGRAM = [
  ...Object.entries(websites).map(([name, args]) => declare("Website", name, args, OPEN)),
  ...Object.entries(pixels).map(([name, args]) => declare("Pixel", name, args)),
].join("");

function fileOf(release: string): string {
  return join(__dirname, "golden", `${release}.json`);
}

async function write(release: string): Promise<void> {
  await world.up();
  const exported = await world.project.state();
  const golden = { websites: await world.service.websites(), pixels: await world.service.pixels(), exported };
  const text = JSON.stringify(golden, null, 2).replaceAll(world.service.url, PLACE);
  await writeFile(fileOf(release), `${text}\n`);
}

it.each(Object.entries(releases))(
  "the state that %s wrote previews no change, refreshes none, and is destroyed without an up",
  async (release, hash) => {
    await world.program(PROGRAM);
    if (!existsSync(fileOf(release))) {
      expect(process.env.CI, `${fileOf(release)} is missing`).toBeUndefined();
      await write(release);
      const empty = await world.project.state();
      Object.assign(empty.deployment, { resources: [] });
      await world.project.write("empty.json", JSON.stringify(empty));
      await world.run(["stack", "import", "--file", "empty.json"]);
    }
    const kept = await readFile(fileOf(release), "utf8");
    expect(createHash("sha256").update(kept).digest("hex")).toBe(hash);
    const text = kept.replaceAll(PLACE, world.service.url);
    const { websites, pixels, exported } = JSON.parse(text) as Golden;
    await world.service.seed({ websites, pixels });
    await world.project.write("golden.json", JSON.stringify(exported));
    await world.run(["stack", "import", "--file", "golden.json"]);
    expect(Object.keys(await world.resources()).sort()).toEqual(["defaults", "full", "ga", "idn", "x"]);

    await world.expectNoDiff();
    const refresh = await world.refresh({ args: ["--expect-no-changes"] });
    expect(refresh.written).toEqual([]);
    await world.expectNoChange();
    expect([await world.service.websites(), await world.service.pixels()]).toEqual([websites, pixels]);

    const destroy = await world.destroy();
    expect(destroy.written.map(({ method }) => method)).toEqual(Array(5).fill("DELETE"));
    expect([...(await world.service.websites()), ...(await world.service.pixels())]).toEqual([]);
    expect(await world.resources()).toEqual({});
  },
);
