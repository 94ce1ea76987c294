import { describe, expect, it } from "vitest";
import { type Command, line, STACK, times, useHarness } from "./harness";

const world = useHarness();

/** The marketplace is the same service. */
const market = (env: NodeJS.ProcessEnv = {}): Command => ({
  env: { TRACKING_MARKET_BASE_URL: world.service.url, ...env },
});
const outputs = async (): Promise<Record<string, unknown>> =>
  JSON.parse((await world.run(["stack", "output", "--json"])).stdout);

describe("a look-up that depends on a resource of the same program", () => {
  const PROGRAM = `
const site = new tracking.Website("site", { domain: "www.shop.example.com", privacy: "public" }, { protect: false });
const ads = new tracking.Pixel("ads", { name: "Ads", type: "twitter", value: "tw-1" });
const none = tracking.getWebsite({ domain: "www.shop.example.com" }).catch(({ message }) => message);
exports.byId = tracking.getWebsiteOutput({ id: site.id });
exports.byDomain = tracking.getWebsiteOutput({ domain: site.domain }).id;
exports.byName = tracking.getPixelOutput({ name: ads.name }).value;
exports.all = tracking.getWebsitesOutput({}, { dependsOn: [site] }).apply((all) => all.map(({ domain }) => domain));
exports.account = tracking.getAccountOutput({}, { dependsOn: site }).username;
`;

  it("is unknown in a preview, and resolved once the resource exists", async () => {
    await world.program(PROGRAM);
    const preview = await world.preview(market());
    expect(preview.written).toEqual([]);
    // The one that asks for a record that is not there yet; nothing that waits for it changes.
    expect(new Set(preview.sent.map(line))).toEqual(new Set(["GET /api/v1/websites"]));

    await world.up(market());
    const { id, domain } = await world.website("www.shop.example.com");
    expect(await outputs()).toMatchObject({
      byId: { id: String(id), domain, privacy: "public", emailReports: false, excludeBots: true },
      byDomain: String(id),
      byName: "tw-1",
      all: [domain],
      account: "ada-marlow",
    });

    const again = await world.run(["preview", "--expect-no-changes"], market());
    expect(again.written).toEqual([]);
  });
});

describe("a look-up that rejects", () => {
  const sentence = "the marketplace account has no item 9; getItems lists its items";
  const [preview, up] = [["preview"], ["up", "--yes", "--skip-preview"]];
  it.each([
    ["where nobody waits for it", [up], "tracking.getItem({ itemId: 9 });"],
    ["as an Output", [preview], "exports.item = tracking.getItemOutput({ itemId: pulumi.output(9) }).name;"],
  ])("%s ends the program with one sentence and without a stack", async (_where, commands, body) => {
    await world.program(body);
    for (const args of commands) {
      const { output, written } = await world.fail(args, market());
      expect(times(diagnostics(output), sentence), output).toBe(1);
      expect(output).not.toMatch(STACK);
      expect(output).not.toMatch(/RunError|Unhandled|rejection|node_modules/i);
      expect(written).toEqual([]);
    }
    expect(await world.resources()).toEqual({});
  });
});

/** The lines at the end; the engine also shows each line when it comes. */
function diagnostics(output: string): string {
  return output.split("\nDiagnostics:\n")[1] ?? "";
}
