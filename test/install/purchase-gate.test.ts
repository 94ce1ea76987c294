import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { sampleMarket } from "../../emulator/market/samples";
import { createProject, type Project } from "../../tools/project.mjs";
import { LEAN } from "../engine/fresh-project";
import { line, STACK } from "../engine/harness";
import { service, type TestService } from "../service";

const KEY = "key-of-the-gate";
const DOMAIN = "shop.example.com";
const [purchase] = sampleMarket.purchases;

let emulator: TestService;
let project: Project;

beforeAll(async () => {
  emulator = await service({ apiKey: KEY }, afterAll);
  project = await createProject({ from: "examples/purchase-gate", like: inject("installed") });
  // `test/engine/published.test.ts` checks the types.
  Object.assign(project.env, LEAN, { PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
  const { url } = emulator;
  await project.pulumi([
    ...["config", "set-all", "--secret", `tracking:apiKey=${KEY}`],
    ...["--plaintext", `tracking:analyticsBaseUrl=${url}`],
    ...["--plaintext", `domain=${DOMAIN}`],
  ]);
});
afterAll(async () => {
  await project?.remove();
});

/** Runs a command that must succeed, or fail; returns its output and the requests meanwhile. */
async function pulumi(args: string[], { fails = false } = {}) {
  emulator.control.clearRequests();
  const { stdout, stderr } = await project.pulumi(args, {
    expectFailure: fails,
    env: { TRACKING_MARKET_BASE_URL: emulator.url },
  });
  const sent = emulator.control.requests().map(line);
  return { output: `${stdout}\n${stderr}`, stdout, sent };
}
const UP = ["up", "--yes", "--skip-preview"];
const buy = (code: string) => project.pulumi(["config", "set", "--secret", "purchaseCode", code]);

it("the purchase gate example deploys nothing for a code that is not valid, and shows what it would deploy for a valid one, and does", async () => {
  await buy("nonsense");
  const { output, sent } = await pulumi(UP, { fails: true });
  expect(output).toContain("getPurchase: the purchase code is not valid (Invalid purchase code)");
  expect(output).not.toMatch(STACK);
  expect(sent.filter((each) => !/^GET |^POST \/api\/purchases\/validation$/.test(each))).toEqual([]);
  expect(emulator.control.websites()).toEqual([]);

  await buy(purchase?.purchase_code ?? "");
  const preview = await pulumi(["preview"]);
  expect(preview.sent.filter((each) => each.startsWith("POST"))).toEqual(["POST /api/purchases/validation"]);
  expect(preview.output).toMatch(/\+ +pulumi-nodejs:dynamic.*Website +site +create/);
  expect(emulator.control.websites()).toEqual([]);

  const up = await pulumi(UP);
  expect(up.sent.filter((each) => !each.startsWith("GET"))).toEqual([
    "POST /api/purchases/validation",
    "POST /api/v1/websites",
  ]);
  const [site] = emulator.control.websites();
  expect(site).toMatchObject({ domain: DOMAIN, privacy: 1 });
  const { stdout } = await pulumi(["stack", "output", "--json"]);
  expect(JSON.parse(stdout)).toEqual({
    seller: "Ada Marlow",
    item: "Harbour Theme",
    itemVersion: "1.4.2",
    licence: "Regular",
    supportedUntil: "2030-01-01T00:00:00Z",
    trackedSince: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
  const quiet = await pulumi(["preview", "--expect-no-changes"]);
  expect(quiet.sent.filter((each) => each.endsWith("/api/v1/websites"))).toEqual([]);
  expect(quiet.output).not.toContain(purchase?.purchase_code);
});
