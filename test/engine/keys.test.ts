import { beforeAll, beforeEach, expect, it } from "vitest";
import { declare, KEY, type Ran, STACK, stackOf, useHarness } from "./harness";

const world = useHarness();

const NEW = "key-after-rotation";
const PROGRAM =
  declare("Website", "shop", { domain: "shop.example.com" }, { protect: false }) +
  declare("Pixel", "pixel", { name: "P", type: "quora", value: "1" });

const begin = stackOf(world, PROGRAM);

/** Rotates the key after the `up`: revokes the old one and sets a new one. */
beforeAll(async () => {
  await begin();
  world.service.keys.add(NEW);
  world.service.keys.delete(KEY);
  await world.configure({ url: world.service.url, key: NEW });
});
beforeEach(begin);

function records() {
  return { websites: world.service.websites(), pixels: world.service.pixels() };
}

async function snapshot() {
  return { kept: await world.kept(), ...records() };
}

const ADVICE = 'Run "pulumi config set --secret tracking:apiKey", and the same command with --run-program';

/** The service rejected the one key that the command had, and says once what to do. */
function expectRejected(failed: Ran): void {
  expect(failed.output).toMatch(/rejects the API key \(401/);
  expect(failed.output.split("\nDiagnostics:\n")[1]?.split(ADVICE), "the advice, once").toHaveLength(2);
  expect(failed.output).not.toMatch(STACK);
  for (const key of [KEY, NEW]) expect(failed.output).not.toContain(key);
  expect(failed.sent.length, "once for each service").toBeLessThanOrEqual(2);
  expect(new Set(failed.sent.map(({ key }) => key))).toEqual(new Set(["wrong"]));
  expect(failed.written).toEqual([]);
}

const YES = ["--yes", "--skip-preview"];
const NOTHING = { kept: {}, websites: [], pixels: [] };

it("after a rotation of the key, what reads the state and not the program drops nothing, uses no other key, says what to do, and that works, as does an up that changes, creates and deletes", async () => {
  const before = await snapshot();
  expectRejected(await world.fail(["destroy", ...YES], { env: { TRACKING_API_KEY: NEW } }));
  expect(await snapshot()).toEqual(before);
  const destroy = await world.destroy({ args: ["--run-program"] });
  expect(destroy.sent.map(({ key }) => key)).not.toContain("wrong");
  expect(await snapshot()).toEqual(NOTHING);

  await begin();
  await world.program(
    declare("Website", "shop", { domain: "shop.example.com", emailReports: true }, { protect: false }) +
      declare("Pixel", "second", { name: "Q", type: "quora", value: "1" }),
  );
  const up = await world.up();
  expect(up.written.map(({ method }) => method).sort()).toEqual(["DELETE", "POST", "PUT"]);
  expect(records()).toMatchObject({ websites: [{ email: 1 }], pixels: [{ name: "Q" }] });
});

it("while both keys work, an up without a change refreshes by the old one, runs a program whose look-ups have the new one, and stores that for later commands", async () => {
  world.service.keys.add(KEY);
  await world.program(
    `${PROGRAM}tracking.getWebsites().then((all) => console.log("there are " + all.length));`,
  );
  const before = await snapshot();
  const { output, written } = await world.up({ args: ["--refresh"] });
  expect([output, written]).toEqual([expect.stringContaining("there are 1"), []]);
  expect(await snapshot()).toEqual(before);

  world.service.keys.delete(KEY);
  expect((await world.destroy()).sent.map(({ key }) => key)).not.toContain("wrong");
  expect(await snapshot()).toEqual(NOTHING);
});
