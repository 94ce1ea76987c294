import { expect, it } from "vitest";
import { guide } from "../docs/readme";
import { declare, line, type Ran, useHarness } from "./harness";

const world = useHarness();

const refusal = (name: string) =>
  new RegExp(
    `::${name}\\W+(cannot be deleted\\W+because it is protected|as it is currently marked for protection)`,
  );

const website = (name: string) => declare("Website", name, { domain: `${name}.example.com` });
const pixel = (name: string) => declare("Pixel", name, { name, type: "quora", value: "1" });
const domains = () =>
  world.service
    .websites()
    .map(({ domain }) => domain)
    .sort();

const written = (ran: Ran) => ran.written.map(line).sort();

it("a website that the program does not unprotect is not deleted, even if its lines are gone", async () => {
  await world.program(website("guarded") + website("forgotten") + pixel("pixel"));
  await world.up();
  const [created, resources] = [domains(), await world.resources()];
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
  expect(domains()).toEqual(created);
  expect(Object.keys(await world.resources())).toEqual(expect.arrayContaining(["guarded", "forgotten"]));
});
