import { expect, it } from "vitest";
import { declare, literal, useHarness } from "./harness";

const world = useHarness();

const site = (name: string) =>
  declare("Website", name, { domain: `${name}.example.com` }, { protect: false });
const UP = ["up", "--yes", "--skip-preview", "--continue-on-error"];
const REFRESH = ["refresh", "--yes", "--skip-preview"];
const path = "/api/v1/websites";
const names = async () => Object.keys(await world.resources()).sort();
const domains = async () => (await world.service.websites()).map(({ domain }) => domain).sort();

it("a delete and a list that are answered 200 with an error are not believed, and the next run is clean", async () => {
  const { service } = world;
  await world.program(site("first") + site("second"));
  await world.up();
  const both = ["first.example.com", "second.example.com"];

  // The list is empty, and says that it is an error.
  const body = { status: "error", message: "Try later.", data: [] };
  await service.addFault({ match: { method: "GET", path, times: 0 }, reply: { body } });
  const missing = { status: 404, body: { message: "Resource not found." } };
  await service.addFault({ match: { method: "GET", path: `${path}/*`, times: 0 }, reply: missing });
  expect((await world.fail(REFRESH)).output).toContain("Try later.");
  expect(await names()).toEqual(["first", "second"]);
  await service.clearFaults();

  const match = { method: "DELETE", times: 0 };
  await service.addFault({ match, commit: "never", reply: { body: { status: "error", message: "Busy." } } });
  await world.program("");
  const refused = await world.fail(UP);
  expect(refused.output).toContain("can't be deleted: the service answered 200 with an error: Busy.");
  expect(refused.written.map(({ method }) => method)).toEqual(["DELETE", "DELETE"]);
  expect([await names(), await domains()]).toEqual([["first", "second"], both]);
  await service.clearFaults();
  await world.up();
  expect([await names(), await domains()]).toEqual([[], []]);

  // An entry without a domain may be the website that is declared.
  const keyless = { data: [{ id: 9 }], meta: { total: 1 } };
  await service.addFault({ match: { method: "GET", path, times: 0 }, reply: { body: keyless } });
  await world.program(site("first"));
  expect((await world.fail(UP)).written).toEqual([]);
  await service.clearFaults();
  await world.up();
  expect(await domains()).toEqual(["first.example.com"]);
});

it("a delete whose answer is lost is not sent to the record that got the id meanwhile", async () => {
  const { service } = world;
  await world.program(site("old"));
  await world.up();
  const { id } = await world.website("old.example.com");
  await service.addFault({ match: { method: "DELETE" }, commit: "before", reply: "reset" });
  await world.program("");
  const since = await service.mark();
  const running = world.project.start(UP);
  await service.waitFor({ method: "DELETE", since, phase: "answered" });
  await service.insertWebsite({ id, domain: "new.example.com", privacy: 1 });
  expect(await running.finished).toMatchObject({ code: 0 });
  expect([await names(), await domains()]).toEqual([[], ["new.example.com"]]);
});

it("two pixels that swap their names are refused, and the advice leads there", async () => {
  const pixels = (first: string, second: string) =>
    world.program(
      [first, second]
        .map((name, at) => declare("Pixel", `p${at}`, { name, type: "bing", value: `${at}` }))
        .join(""),
    );
  await pixels("A", "B");
  await world.up();
  await pixels("B", "A");
  const { output, written } = await world.fail(UP);
  expect(output).toMatch(/pixel "A" \(id \d+\) can't be updated: pixel "B" \(id \d+\) exists already/);
  expect(written).toEqual([]);
  for (const [first, second] of [
    ["A", "C"],
    ["B", "C"],
    ["B", "A"],
  ] as const) {
    await pixels(first, second);
    await world.up();
  }
  await world.expectNoDiff();
  expect([await world.pixel("B"), await world.pixel("A")]).toMatchObject([{ value: "0" }, { value: "1" }]);
});

it.runIf(world.form === "native")(
  "a protected website of another language is replaced in two steps, and one that is gone leaves state",
  async () => {
    const shop = (args: object) =>
      world.program(`new pulumi.CustomResource("tracking:index:Website", "shop", ${literal(args)});`);
    await shop({ domain: "old.example.com" });
    await world.up();
    await shop({ domain: "new.example.com", deletionProtection: false });
    expect((await world.fail(["preview"])).output).toContain("To replace it, first set its argument");
    expect((await world.fail(UP)).written).toEqual([]);
    await shop({ domain: "old.example.com", deletionProtection: false });
    await world.up();
    await shop({ domain: "new.example.com", deletionProtection: false });
    await world.up();
    await world.expectNoDiff();
    expect([await names(), await domains()]).toEqual([["shop"], ["new.example.com"]]);

    await shop({ domain: "new.example.com" });
    await world.up();
    await world.program("");
    expect((await world.fail(UP)).output).toContain("To delete it, first set its argument");
    await world.service.seed({ websites: [] });
    expect((await world.up()).output).toContain("was not found, so nothing was deleted");
    expect(await names()).toEqual([]);
  },
);
