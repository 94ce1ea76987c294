import { readFile, writeFile } from "node:fs/promises";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { StoredPixel, StoredWebsite } from "../../emulator";
import { cases, declare, KEY, line, type Ran, STACK, useHarness } from "./harness";

const world = useHarness();

const NEW = "key-after-rotation";
const PROGRAM =
  declare("Website", "shop", { domain: "shop.example.com" }, { protect: false }) +
  declare("Pixel", "pixel", { name: "P", type: "quora", value: "1" });

/** The commands that get the settings of the last `up`, because they read the state and not the program. */
const verbs = [
  { says: "refresh", args: ["refresh", "--yes", "--skip-preview"] },
  { says: "preview --refresh", args: ["preview", "--refresh"] },
  { says: "up --refresh", args: ["up", "--yes", "--skip-preview", "--refresh"] },
  { says: "destroy", args: ["destroy", "--yes", "--skip-preview"] },
];

/** The state after an `up` with a key that is now revoked. */
let left: { state: string; websites: StoredWebsite[]; pixels: StoredPixel[] };

/** Rotates the key: revokes the old one and sets a new one. */
beforeAll(async () => {
  await world.program(PROGRAM);
  await world.up();
  left = { state: await readFile(world.stateFile, "utf8"), ...(await records()) };
  await world.service.addKey(NEW);
  await world.service.revokeKey(KEY);
  await world.configure({ url: world.service.url, key: NEW });
});
beforeEach(async () => {
  await world.program(PROGRAM);
  await writeFile(world.stateFile, left.state);
  await world.service.seed({ websites: left.websites, pixels: left.pixels });
});

async function records() {
  return { websites: await world.service.websites(), pixels: await world.service.pixels() };
}

async function snapshot() {
  return { kept: await world.kept(), ...(await records()) };
}

/** Checks the command's effect: nothing is left after destroy, and nothing has changed after others. */
async function expectDone(says: string, before: Awaited<ReturnType<typeof snapshot>>, ran: Ran) {
  expect(ran.sent.some(({ key }) => key === "right")).toBe(true);
  expect(ran.output).not.toContain(NEW);
  if (says === "destroy") expect(await snapshot()).toEqual({ kept: {}, websites: [], pixels: [] });
  else {
    expect(ran.written).toEqual([]);
    expect(await snapshot()).toEqual(before);
  }
}

describe("after a rotation of the key", () => {
  it("up works, shows no change, and stores the new key for later commands", async () => {
    const before = await snapshot();
    expect((await world.up()).sent).toEqual([]);
    expect(await snapshot()).toEqual(before);
    for (const { args } of verbs.slice(2))
      expect((await world.run(args)).sent.map(({ key }) => key)).not.toContain("wrong");
    expect(await snapshot()).toEqual({ kept: {}, websites: [], pixels: [] });
  });

  it("an up that changes a record, creates one and deletes one works", async () => {
    await world.program(
      declare("Website", "shop", { domain: "shop.example.com", emailReports: true }, { protect: false }) +
        declare("Pixel", "second", { name: "Q", type: "quora", value: "1" }),
    );
    const up = await world.up();
    expect(up.written.map(({ method }) => method).sort()).toEqual(["DELETE", "POST", "PUT"]);
    expect((await records()).websites).toMatchObject([{ email: 1 }]);
    expect((await records()).pixels).toMatchObject([{ name: "Q" }]);
  });

  it("an up whose program has no resource left says what to do, and that works", async () => {
    await world.program("");
    const before = await snapshot();
    const failed = await world.fail(["up", "--yes", "--skip-preview"]);
    expect(failed.output).toContain("set TRACKING_API_KEY");
    expect(failed.written).toEqual([]);
    expect(await snapshot()).toEqual(before);
    const up = await world.up({ env: { TRACKING_API_KEY: NEW } });
    expect(up.written.map(line).sort()).toEqual([
      expect.stringContaining("DELETE /api/v1/pixels/"),
      expect.stringContaining("DELETE /api/v1/websites/"),
    ]);
    expect(await snapshot()).toEqual({ kept: {}, websites: [], pixels: [] });
  });

  it.each(cases(verbs))(
    "%s drops nothing, says what to do, and --run-program does it",
    async (_says, { says, args }) => {
      const before = await snapshot();
      const failed = await world.fail(args);
      expect(failed.output).toMatch(/rejects the API key .*--run-program, or set TRACKING_API_KEY/);
      expect(failed.output).not.toMatch(STACK);
      for (const key of [KEY, NEW]) expect(failed.output).not.toContain(key);
      expect(failed.written).toEqual([]);
      expect(await snapshot()).toEqual(before);
      await expectDone(says, before, await world.run([...args, "--run-program"]));
    },
  );

  const alike = verbs.filter(({ says }) => says !== "preview --refresh");
  it.each(cases(alike))("%s works with the new key in the environment", async (_says, { says, args }) => {
    const before = await snapshot();
    const ran = await world.run(args, { env: { TRACKING_API_KEY: NEW } });
    expect(ran.output).toContain(
      "the API key of the last update was rejected; using the one of TRACKING_API_KEY",
    );
    await expectDone(says, before, ran);
  });
});
