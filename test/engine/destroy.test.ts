import { expect, it } from "vitest";
import { guide } from "../docs/readme";
import { declare, line, type Ran, useHarness } from "./harness";

const world = useHarness();

const refusal = (name: string) =>
  new RegExp(
    `::${name}\\W+(cannot be deleted\\W+because it is protected|as it is currently marked for protection)`,
  );

const open = { protect: false };
const website = (name: string, opts: object = {}) =>
  declare("Website", name, { domain: `${name}.example.com` }, opts);
const pixel = (name: string) => declare("Pixel", name, { name, type: "quora", value: "1" });
const domains = async () => (await world.service.websites()).map(({ domain }) => domain).sort();

/** The requests that delete these resources' records. */
async function deletesOf(...names: string[]): Promise<string[]> {
  const resources = await world.resources();
  const paths = names.map((name) => {
    const { id, type } = resources[name] ?? {};
    return `DELETE /api/v1/${type?.endsWith("Pixel") ? "pixels" : "websites"}/${id}`;
  });
  return paths.sort();
}
const written = (ran: Ran) => ran.written.map(line).sort();

it("a website that the program does not unprotect is not deleted, also if its lines are gone", async () => {
  await world.program(website("guarded") + website("forgotten") + pixel("pixel"));
  await world.up();
  const [created, resources] = [await domains(), await world.resources()];
  for (const name of ["guarded", "forgotten"]) expect(resources[name]).toMatchObject({ protect: true });
  expect(resources.pixel).not.toHaveProperty("protect");
  const preview = await world.fail(["destroy", "--preview-only"]);
  expect(preview.output).toMatch(refusal("guarded"));
  expect(preview.sent).toEqual([]);

  await world.program(website("guarded") + pixel("pixel"));
  const [, quoted = "not quoted"] = /"(cannot be deleted [^"]*)"/.exec(guide) ?? [];
  const flat = (text: string) => text.replace(/\s+/g, " ");
  const looked = await world.fail(["preview"]);
  expect(flat(looked.output)).toContain(flat(quoted));
  const refused = [
    looked,
    await world.fail(["up", "--yes", "--skip-preview"]),
    await world.fail(["destroy", "--yes", "--skip-preview"]),
  ];
  for (const ran of refused) {
    expect(ran.output).toMatch(refusal("forgotten"));
    expect(written(ran).filter((each) => each.includes("/websites"))).toEqual([]);
  }
  expect(await domains()).toEqual(created);
  expect(Object.keys(await world.resources())).toEqual(expect.arrayContaining(["guarded", "forgotten"]));
});

it("what is unprotected is deleted by an up without it and by destroy, and retainOnDelete keeps a website", async () => {
  const lasting = website("retained", { retainOnDelete: true }) + pixel("pixel");
  await world.program(
    lasting + website("guarded") + website("lost", open) + website("freed") + pixel("lost-pixel"),
  );
  await world.up();
  // As the refusal advises if the program no longer has the lines.
  await world.run(["state", "unprotect", "--yes", (await world.resource("freed")).urn]);
  await world.program(lasting + website("guarded", open));
  const lost = await deletesOf("freed", "lost", "lost-pixel");
  expect(written(await world.up())).toEqual(lost);
  expect(await domains()).toEqual(["guarded.example.com", "retained.example.com"]);

  const rest = await deletesOf("guarded", "pixel");
  expect(written(await world.destroy())).toEqual(rest);
  expect([await domains(), await world.service.pixels()]).toEqual([["retained.example.com"], []]);
  expect(await world.state()).toEqual([]);
});
