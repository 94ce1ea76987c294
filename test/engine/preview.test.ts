import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { declare, useHarness } from "./harness";
import { installed } from "./importing";

const world = useHarness();

const site = (name: string, args = {}, opts = {}) =>
  declare("Website", name, { domain: `${name}.example.com`, ...args }, opts);

/** What the installed command says. */
async function said(...args: string[]): Promise<string> {
  world.service.clearRequests();
  const { code, stdout, stderr } = await installed(world, ["preview", ...args]).finished;
  expect(code, stderr).toBe(0);
  expect(world.service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  return stdout;
}

/** `test/cli` has every sentence, for invented previews; here, what the engine makes of what the provider says. */
it("says in words what a change does, and what it does to what someone changed meanwhile", async () => {
  const kept = ["renamed", "edited", "lost"].map((name) => site(name)).join("");
  const before = site("opened") + site("deleted", {}, { protect: false }) + site("freed");
  await world.program(kept + before);
  await world.up();
  world.service.seed({
    websites: [...world.service.websites(), { domain: "adopted.example.com", privacy: 1, exclude_bots: 1 }],
  });
  const after =
    site("opened", { privacy: "public" }) +
    site("freed", {}, { protect: false }) +
    site("adopted", { adopt: true, privacy: "public" }) +
    declare("Pixel", "odd", { name: "Odd", type: "bing", value: "a b" });
  await world.program(kept + after);
  const adoption = 'will be adopted; its privacy changes from "private" to "public"';
  const oddity = 'its value is not text of letters, digits, "-" and "_" only: many services refuse it';
  expect(
    await said(),
  ).toBe(`Websites and pixels: 1 deleted; 2 becomes public; 1 no longer protected; 1 adopted; 1 created.
Deleted:
  website deleted.example.com: its statistics are deleted
Becomes public:
  website adopted.example.com: privacy "public"
  website opened.example.com: privacy "private" → "public"
No longer protected:
  website freed.example.com: protect true → false
Adopted:
  website adopted.example.com: exists already (id ${world.website("adopted.example.com").id}) and ${adoption}
Created:
  pixel Odd: type "bing"; ${oddity}
`);

  await world.program(kept + before);
  world.service.editWebsite(world.website("renamed.example.com").id, { domain: "new.example.com" });
  world.service.editWebsite(world.website("edited.example.com").id, { privacy: 0 });
  world.service.deleteWebsite(world.website("lost.example.com").id);
  const { stdout } = await world.run(["preview", "--refresh", "--run-program", "--json"]);
  const file = join(world.project.folder, "preview.json");
  await writeFile(file, stdout);
  expect(await said("--from", file)).toBe(`Websites and pixels: 2 changed; 1 created.
Changed:
  website edited.example.com: privacy "public" → "private"
  website renamed.example.com: is "new.example.com" on the service now: someone has renamed it: declare the domain that the service has, or rename it back there
Created:
  website lost.example.com: privacy "private"; is gone from the service. If the program still has it, "pulumi up" creates it again, without its statistics
`);
});

it("names what a killed run has replaced and not deleted, which the engine's preview counts as no change", async () => {
  await world.program(site("shop"));
  await world.up();
  world.service.seed({ websites: [...world.service.websites(), { domain: "old.example.com", privacy: 1 }] });
  const state = JSON.parse(await readFile(world.stateFile, "utf8"));
  const { resources } = state.checkpoint.latest;
  const at = resources.findIndex(({ urn }: { urn: string }) => urn.endsWith("::shop"));
  const own = { domain: "old.example.com" };
  const { id, inputs, outputs } = resources[at];
  const left = { id: String(world.website("old.example.com").id), delete: true, protect: false };
  resources.splice(at + 1, 0, {
    ...resources[at],
    ...left,
    inputs: { ...inputs, ...own },
    outputs: { ...outputs, ...own },
  });
  await writeFile(world.stateFile, JSON.stringify(state));
  expect(await said()).toBe(
    'Websites and pixels: 1 deleted.\nDeleted:\n  website old.example.com: an earlier "up" replaced it; its statistics are deleted\n',
  );
  await world.up();
  expect(world.service.websites().map((each) => String(each.id))).toEqual([id]);
});
