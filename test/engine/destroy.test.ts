import { describe, expect, it } from "vitest";
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

const story = world.story(async () => {
  const domains = async () => (await world.service.websites()).map(({ domain }) => domain).sort();
  await world.program(website("guarded") + website("forgotten") + pixel("pixel"));
  await world.up();
  const [created, guarded] = [await domains(), await world.resources()];
  const preview = await world.fail(["destroy", "--preview-only"]);
  await world.program(website("guarded") + pixel("pixel"));
  const refused = [
    await world.fail(["preview"]),
    await world.fail(["up", "--yes", "--skip-preview"]),
    await world.fail(["destroy", "--yes", "--skip-preview"]),
  ];
  const [stillThere, stillKept] = [await domains(), Object.keys(await world.resources())];

  const lasting =
    website("guarded", open) +
    website("forgotten", open) +
    website("retained", { retainOnDelete: true }) +
    pixel("pixel");
  await world.program(lasting + website("lost", open) + website("freed") + pixel("lost-pixel"));
  const unprotecting = await world.up();
  const resources = await world.resources();
  // As the refusal advises if the program no longer has the lines.
  await world.run(["state", "unprotect", "--yes", resources.freed?.urn ?? ""]);
  await world.program(lasting);
  const losing = await world.up();
  const afterLosing = [await domains(), (await world.service.pixels()).map(({ name }) => name)];
  const destroy = await world.destroy();
  const left = {
    websites: await domains(),
    pixels: await world.service.pixels(),
    state: await world.state(),
  };
  return {
    created,
    guarded,
    preview,
    refused,
    stillThere,
    stillKept,
    unprotecting,
    resources,
    losing,
    afterLosing,
    destroy,
    left,
  };
});

/** The path of a resource's record. */
function pathOf(name: string): string {
  const { id, type } = story().resources[name] ?? {};
  return `/api/v1/${type?.endsWith("Pixel") ? "pixels" : "websites"}/${id}`;
}
/** What was to be done to these resources' records. */
function writtenTo({ written }: Ran, ...names: string[]): string[] {
  const paths = names.map(pathOf);
  return written
    .filter(({ path }) => paths.includes(path))
    .map(line)
    .sort();
}
function deletes(...names: string[]): string[] {
  return names.map((name) => `DELETE ${pathOf(name)}`).sort();
}

describe("destroy", () => {
  it("is refused for a website that the program does not unprotect", () => {
    const { guarded, preview } = story();
    for (const name of ["guarded", "forgotten"]) expect(guarded[name]).toMatchObject({ protect: true });
    expect(guarded.pixel).not.toHaveProperty("protect");
    expect(preview.output).toMatch(refusal("guarded"));
    expect(preview.sent).toEqual([]);
  });

  it("is also refused for such a website when its lines are gone, as are preview and up", () => {
    const { refused, created, stillThere, stillKept } = story();
    for (const ran of refused) {
      expect(ran.output).toMatch(refusal("forgotten"));
      expect(writtenTo(ran, "guarded", "forgotten")).toEqual([]);
    }
    const flat = (text: string) => text.replace(/\s+/g, " ");
    const [quoted = ""] = /cannot be deleted[^`]*`protect` flag/.exec(guide) ?? [];
    expect(flat(refused[0]?.output ?? "")).toContain(flat(quoted));
    expect(stillThere).toEqual(created);
    expect(stillKept).toEqual(expect.arrayContaining(["guarded", "forgotten"]));
  });

  it("works once the program has unprotected them, which writes nothing to them", () => {
    const { unprotecting, destroy } = story();
    expect(writtenTo(unprotecting, "guarded", "forgotten")).toEqual([]);
    expect(writtenTo(destroy, "guarded", "forgotten")).toEqual(deletes("guarded", "forgotten"));
  });

  it("deletes what is not protected, and keeps a website with retainOnDelete", () => {
    const { resources, destroy, left } = story();
    expect(resources.retained).not.toHaveProperty("protect");
    expect(destroy.written.map(line).sort()).toEqual(deletes("guarded", "forgotten", "pixel"));
    expect(left).toEqual({ websites: ["retained.example.com"], pixels: [], state: [] });
  });
});

describe("an up whose program no longer declares unprotected resources", () => {
  it("deletes them", () => {
    const { losing, afterLosing } = story();
    expect(losing.written.map(line).sort()).toEqual(deletes("freed", "lost", "lost-pixel"));
    expect(afterLosing).toEqual([
      ["forgotten.example.com", "guarded.example.com", "retained.example.com"],
      ["pixel"],
    ]);
  });
});
