import { expect, it } from "vitest";
import { declare, line, type Ran, STACK, useHarness } from "./harness";

const world = useHarness();

const UP = ["up", "--yes", "--skip-preview", "--continue-on-error"];

async function records() {
  return { websites: await world.service.websites(), pixels: await world.service.pixels() };
}

/** The requests that changed this record. */
function writtenTo({ written }: Ran, kind: "websites" | "pixels", { id }: { id: number }) {
  return written
    .filter(({ path }) => path === `/api/v1/${kind}/${id}`)
    .map(({ method, form }) => [method, form]);
}

const site = (name: string, args: object = {}) =>
  declare("Website", name, { domain: `${name}.example.com`, ...args });
const tag = (name: string, args: object) => declare("Pixel", name, { type: "quora", value: "1", ...args });

it("that already exists is only read by the preview, adopted by one PUT of what differs, and refused without adopt", async () => {
  const { service } = world;
  const asDefault = { privacy: 1, email: 0, exclude_bots: 1 } as const;
  const insert = (name: string, columns: object) =>
    service.insertWebsite({ domain: `${name}.example.com`, ...columns });
  const refused = await insert("refused", { privacy: 0 });
  const refusedPixel = await service.insertPixel({ name: "Refused" });
  const lists = { exclude_ips: "203.0.113.9", exclude_params: "ref" };
  const before = {
    shop: await insert("shop", { privacy: 0, email: 0, exclude_bots: 0, ...lists }),
    same: await insert("same", asDefault),
    lists: await insert("lists", { ...asDefault, ...lists }),
  };
  const pixel = await service.insertPixel({ name: "P", type: "bing", value: "1" });
  const adopt = { adopt: true };
  const wanted = { domain: "SHOP.example.com", excludeIps: ["203.0.113.9"], emailReports: true };
  const adopting =
    site("shop", { ...wanted, ...adopt }) +
    ["same", "lists", "fresh"].map((name) => site(name, adopt)).join("") +
    tag("pixel", { name: "P", ...adopt });
  await world.program(
    adopting +
      site("refused", { domain: "Refused.example.com." }) +
      tag("refused-pixel", { name: "Refused" }),
  );

  const preview = await world.preview();
  expect(preview.written).toEqual([]);
  expect(preview.output).toContain(
    `website "SHOP.example.com" exists already (id ${before.shop.id}) and will be adopted; its privacy changes from "public" to "private", emailReports changes from false to true, excludeBots changes from false to true`,
  );

  const up = await world.fail(UP);
  const [after, kept] = [await records(), await world.kept()];
  for (const [noun, record] of [
    ['website "Refused.example.com."', refused],
    ['pixel "Refused"', refusedPixel],
  ] as const) {
    expect(up.output).toContain(
      `${noun} exists already (id ${record.id}). If this resource was renamed in the program, give it the option aliases with its old name`,
    );
    expect(up.output).toContain(
      'to adopt a record that was made elsewhere, give it adopt: true, or run "npx pulumi-tracking import --declared --apply"',
    );
    expect([...after.websites, ...after.pixels]).toContainEqual(record);
  }
  expect(up.output).not.toMatch(STACK);
  expect(Object.keys(kept).sort()).toEqual(["fresh", "lists", "pixel", "same", "shop"]);

  expect(up.written.map(line).sort()).toEqual([
    "POST /api/v1/websites",
    `PUT /api/v1/pixels/${pixel.id}`,
    `PUT /api/v1/websites/${before.shop.id}`,
  ]);
  expect(writtenTo(up, "websites", before.shop)).toEqual([
    ["PUT", { privacy: "1", email: "1", exclude_bots: "1" }],
  ]);
  expect(writtenTo(up, "pixels", pixel)).toEqual([["PUT", { type: "quora" }]]);
  expect(after.websites.find(({ id }) => id === before.shop.id)).toMatchObject({
    domain: "shop.example.com",
  });
  // The lists that the program omits stay.
  for (const untouched of [before.same, before.lists]) expect(after.websites).toContainEqual(untouched);
  for (const [name, { id }] of Object.entries({ ...before, pixel })) expect(kept[name]?.id).toBe(String(id));

  await world.program(adopting);
  expect((await world.expectNoChange({ args: ["--refresh"] })).written).toEqual([]);
});
