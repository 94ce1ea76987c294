import { describe, expect, it, onTestFinished } from "vitest";
import { OddService } from "../model/odd-service";
import { declare, KEY, line, type Ran, STACK, useHarness } from "./harness";
import { importing } from "./importing";

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

describe("a record that already exists", () => {
  const story = world.story(async () => {
    const { service } = world;
    const asDefault = { privacy: 1, email: 0, exclude_bots: 1 };
    const before = {
      refused: await service.insertWebsite({ domain: "refused.example.com", privacy: 0 }),
      refusedPixel: await service.insertPixel({ name: "Refused" }),
      shop: await service.insertWebsite({
        domain: "shop.example.com",
        privacy: 0,
        email: 0,
        exclude_bots: 0,
        exclude_ips: "203.0.113.9",
        statistics: true,
      }),
      same: await service.insertWebsite({ domain: "same.example.com", ...asDefault }),
      lists: await service.insertWebsite({
        domain: "lists.example.com",
        ...asDefault,
        exclude_ips: "203.0.113.9",
        exclude_params: "ref",
      }),
      pixel: await service.insertPixel({ name: "P", type: "bing", value: "1" }),
    };
    const adopting =
      declare("Website", "shop", {
        domain: "SHOP.example.com",
        excludeIps: ["203.0.113.9"],
        emailReports: true,
        adopt: true,
      }) +
      declare("Website", "same", { domain: "same.example.com", adopt: true }) +
      declare("Website", "lists", { domain: "lists.example.com", adopt: true }) +
      declare("Website", "fresh", { domain: "fresh.example.com", adopt: true }) +
      declare("Pixel", "pixel", { name: "P", type: "quora", value: "1", adopt: true });
    await world.program(
      adopting +
        declare("Website", "refused", { domain: "Refused.example.com." }) +
        declare("Pixel", "refused-pixel", { name: "Refused", type: "quora", value: "1" }),
    );
    const preview = await world.preview();
    const up = await world.fail(UP);
    const [after, kept] = [await records(), await world.kept()];
    await world.program(adopting);
    await world.expectNoDiff();
    expect((await world.refresh({ args: ["--expect-no-changes"] })).written).toEqual([]);
    return { before, preview, up, after, kept };
  });

  it.each([
    ['website "Refused.example.com."', "refused"],
    ['pixel "Refused"', "refusedPixel"],
  ] as const)("stops an up without adopt, which names its id and the ways out: %s", (noun, name) => {
    const { before, up, after, kept } = story();
    expect(up.output).toContain(
      `${noun} exists already (id ${before[name].id}). If this resource was renamed in the program, give it the option aliases with its old name; if it is being replaced, give it deleteBeforeReplace: true; to adopt a record that was made elsewhere, give it adopt: true, or run "npx pulumi-tracking import --declared --apply"`,
    );
    expect(up.output).not.toMatch(STACK);
    expect([...after.websites, ...after.pixels]).toContainEqual(before[name]);
    expect(Object.keys(kept)).not.toContain(name === "refused" ? "refused" : "refused-pixel");
  });

  it("is only read by the preview, which lists what will change on it, with both values", () => {
    const { before, preview } = story();
    expect(preview.written).toEqual([]);
    expect(preview.output).toContain(
      `website "SHOP.example.com": exists already (id ${before.shop.id}) and will be adopted; its privacy changes from "public" to "private", emailReports changes from false to true, excludeBots changes from false to true`,
    );
  });

  it("is adopted by one PUT of the fields that differ", () => {
    const { before, up, after, kept } = story();
    expect(up.written.map(line).sort()).toEqual([
      "POST /api/v1/websites",
      `PUT /api/v1/pixels/${before.pixel.id}`,
      `PUT /api/v1/websites/${before.shop.id}`,
    ]);
    expect(writtenTo(up, "websites", before.shop)).toEqual([
      ["PUT", { privacy: "1", email: "1", exclude_bots: "1" }],
    ]);
    expect(writtenTo(up, "pixels", before.pixel)).toEqual([["PUT", { type: "quora" }]]);
    expect(after.websites.find(({ id }) => id === before.shop.id)).toMatchObject({
      domain: "shop.example.com",
      statistics: true,
    });
    expect(after.websites).toContainEqual(before.same);
    for (const name of ["shop", "same", "pixel"] as const)
      expect(kept[name]?.id).toBe(String(before[name].id));
    expect(kept.fresh?.id).toBe(
      String(after.websites.find(({ domain }) => domain === "fresh.example.com")?.id),
    );
  });

  it("keeps the lists that the program omits when it is adopted", () => {
    const { before, up, after } = story();
    expect(writtenTo(up, "websites", before.lists)).toEqual([]);
    expect(after.websites).toContainEqual(before.lists);
  });
});

it("is found by a run after a killed one, if a service has no pages and truncates its list before it", async () => {
  const { service } = world;
  const odd = new OddService(service);
  onTestFinished(() => odd.close());
  odd.become({ size: undefined, page: "ignored", says: "nothing", put: "keeps", denials: 0 });
  await world.configureHere({ url: await odd.listen(), key: KEY });
  await service.seed({
    pixels: Array.from({ length: 120 }, (_, at) => ({ id: at + 1, name: `P${at + 1}` })),
  });
  // The records that the killed run created and that state does not have.
  const left = await service.insertPixel({ name: "Ours", type: "bing", value: "1" });
  const CUT =
    "the service's list may be truncated: it returned 100 pixels without showing that these are all";
  const program = (adopt: boolean) =>
    `tracking.getPixels();\n${declare("Pixel", "ours", { name: "Ours", type: "bing", value: "1", adopt })}`;

  await world.program(program(false));
  const refused = await world.fail(UP);
  expect(refused.output).toContain(`pixel "Ours" exists already (id ${left.id})`);
  expect(refused.output).toContain(CUT);
  await world.program(program(true));
  await world.up();
  expect((await world.resource("ours")).id).toBe(String(left.id));
  expect(await service.pixels()).toHaveLength(121);
  expect(odd.seconds).toEqual([]);

  const rest = importing(world, ["--only", "pixels", "--apply"]);
  expect(await rest.finished).toMatchObject({ code: 1 });
  expect((await rest.finished).stderr).toContain(
    "Nothing is imported. The service's list of pixels may be incomplete",
  );
  expect(await service.pixels()).toHaveLength(121);
});
