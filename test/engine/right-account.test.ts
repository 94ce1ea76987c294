import { expect, it } from "vitest";
import type { Seed } from "../../emulator/seed";
import { declare, useHarness } from "./harness";
import { installed } from "./importing";

const world = useHarness();

const YES = ["--yes", "--skip-preview"];
/** A website on which a resource of another provider depends, and a pixel. */
const program = (privacy: string, others = "") =>
  world.program(`const shop = ${declare("Website", "shop", { domain: "shop.example.com", privacy }, { protect: false })}
const pixel = ${declare("Pixel", "pixel", { name: "P", type: "quora", value: "1" })}
new pulumi.dynamic.Resource({ create: async () => ({ id: require("node:crypto").randomUUID() }) }, "dns", {}, { dependsOn: [shop] });
${others}`);
/** Created after the pixel was compared, so that the provider knows of it. */
const ANOTHER = 'new tracking.Website("new", { domain: "new.example.com" }, { dependsOn: [pixel] });\n';

/** Other accounts; `test/provider/session.test.ts` has those with an id or a name of the stack. */
const EMPTY: Seed = { websites: [], pixels: [] };
const FILLED: Seed = {
  websites: [{ id: 901, domain: "x.example.com" }],
  pixels: [{ id: 902, name: "X", type: "bing", value: "x" }],
};

it("in an account without the stack's records neither a refresh nor an up drops, writes or creates anything, refresh and doctor doubt it alike, and their advice leads out of an account in which all is really gone", async () => {
  await program("private");
  await world.up();
  const [restore, before] = [await world.keep(), await world.kept()];
  const dns = async () => (await world.state()).find(({ type }) => type === "pulumi-nodejs:dynamic:Resource");
  const { id } = (await dns()) ?? {};
  const refused = async (account: Seed, ...args: string[]) => {
    world.service.seed(account);
    const failed = await world.fail([...args, ...YES]);
    expect([failed.written, await world.kept()], args.join(" ")).toEqual([[], before]);
    return failed.stdout;
  };

  const refresh = await refused(EMPTY, "refresh");
  const doctor = await installed(world, ["doctor", "--json"]).finished;
  const { findings } = JSON.parse(doctor.stdout) as { findings: { code: string; remedy: string }[] };
  const { remedy = "" } = findings.find(({ code }) => code === "wrong-account") ?? {};
  const [, question, advice] = /^First check (.*\?) (If it is, .*)\. For many/.exec(remedy) ?? [];
  expect(question).toMatch(/is this the right account\?$/);
  expect(advice).toContain(`"pulumi refresh --target 'URN'", one at a time`);
  expect(refresh).toContain(`\n    ${advice}\n`);
  await program("public", ANOTHER);
  await refused(FILLED, "up");

  // All is gone: by the advice it is dropped, and made again, and what depends on it is not.
  await restore();
  await program("private");
  world.service.seed(EMPTY);
  for (const { urn } of Object.values(await world.resources()))
    await world.refresh({ args: ["--target", urn] });
  expect(await world.resources()).toEqual({});
  const { written } = await world.up();
  expect(written.map(({ method, form }) => [method, form.domain ?? form.name]).sort()).toEqual([
    ["POST", "P"],
    ["POST", "shop.example.com"],
  ]);
  expect((await dns())?.id).toBe(id);
  await world.expectNoChange();
});
