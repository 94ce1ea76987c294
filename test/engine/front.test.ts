import { expect, it, onTestFinished } from "vitest";
import { declare, KEY, line, useHarness } from "./harness";
import { installed } from "./importing";

const world = useHarness();

const HEADERS = { "CF-Access-Client-Id": "team-7", "CF-Access-Client-Secret": "front-canary-0123456789" };
const PURCHASE = "11111111-aaaa-4bbb-8ccc-000000000001";

const program = (name: string, privacy: string) =>
  world.program(`
const asked = async () => ({
  websites: (await tracking.getWebsites()).length,
  website: (await tracking.getWebsite({ domain: "old.example.com" })).domain,
  pixels: (await tracking.getPixels()).length,
  pixel: (await tracking.getPixel({ name: "Old" })).name,
  account: (await tracking.getAccount()).currency !== undefined,
  items: (await tracking.getItems()).length > 0,
  item: (await tracking.getItem({ itemId: (await tracking.getItems())[0].id })).id > 0,
  purchase: (await tracking.getPurchase({ purchaseCode: "${PURCHASE}" })).purchaseCode,
  valid: (await tracking.validatePurchase({ purchaseCode: "${PURCHASE}" })).valid,
});
exports.asked = asked();
const headers = { "CF-Access-Client-Id": "team-7", "CF-Access-Client-Secret": pulumi.secret("front-canary-0123456789") };
const settings = { apiKey: "${KEY}", analyticsBaseUrl: "${world.service.url}", headers };
const provider = new tracking.Provider("agency", settings);
new tracking.Website("theirs", { domain: "theirs.example.com", privacy: "${privacy}" }, { protect: false, provider });
${declare("Website", "shop", { domain: "shop.example.com", privacy }, { protect: false })}
${declare("Pixel", "ga", { name, type: "bing", value: "1" })}
`);

it("a service behind a front server that demands headers is managed by them: every operation, look-up and command, of stack config, the environment and an explicit provider", async () => {
  const { service } = world;
  const { url } = service;
  service.configure({ headers: HEADERS });
  onTestFinished(() => service.configure({ headers: {} }));
  service.seed({
    websites: [{ id: 1, domain: "old.example.com" }],
    pixels: [{ id: 1, name: "Old", type: "bing", value: "0" }],
  });
  const text = JSON.stringify(HEADERS);
  const plain = { marketBaseUrl: url };
  await program("GA", "private");
  await world.configureHere({ url, key: KEY, plain });
  const made = await world.up({ env: { TRACKING_HEADERS: text } });
  expect(made.output).toContain(`purchase: "${PURCHASE}"`);
  expect(service.websites().map(({ domain }) => domain)).toContain("theirs.example.com");
  await world.run(["config", "set", "--secret", "tracking:headers", text]);
  await program("GA 2", "public");
  const changed = await world.up();
  expect(changed.written.map(({ method }) => method).sort()).toEqual(["POST", "POST", "PUT", "PUT", "PUT"]);
  const listed = await installed(world, ["list", "--json"]).finished;
  expect(listed.stdout).toContain("old.example.com");
  expect(JSON.stringify(await world.state())).not.toContain("front-canary");
  const { output, sent } = await world.destroy({ args: ["--refresh"] });
  expect(output).toMatch(/Website shop refresh/);
  expect(sent.map(line)).toContain("GET /api/v1/websites");
  expect([service.websites().length, service.pixels().length]).toEqual([1, 1]);
  expect(service.requests().every(({ headers }) => headers["cf-access-client-id"] === "team-7")).toBe(true);
});
