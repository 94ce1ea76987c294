import { expect, it } from "vitest";
import { cases, KEY, type Ran, STACK, times, useHarness } from "./harness";

const world = useHarness();

/** The lines under Diagnostics that belong to the resource. */
function diagnosis({ stdout }: Ran): string {
  const all = stdout.slice(stdout.indexOf("\nDiagnostics:\n"));
  return /^ {2}pulumi-nodejs:dynamic\/tracking:Website \(shop\):\n((?: {4}.*\n)*)/m.exec(all)?.[1] ?? "";
}

const refusals = [
  {
    says: "if the key is missing",
    settings: () => ({ url: world.service.url }),
    parts: [
      "the API key for websites is missing",
      'run "pulumi config set --secret tracking:apiKey"',
      "TRACKING_API_KEY",
    ],
  },
  {
    says: "if a number is none",
    settings: () => ({ key: KEY, url: world.service.url, plain: { requestTimeout: "soon" } }),
    parts: ["tracking:requestTimeout", "soon", "a number above 0"],
  },
  {
    says: "if the base URL leads elsewhere",
    settings: () => ({ key: KEY, url: `${world.service.url}/elsewhere` }),
    parts: ["shop.example.com", "404", "/elsewhere", "tracking:analyticsBaseUrl"],
  },
];

it.each(cases(refusals))(
  "an up stops with one sentence at its resource, and changes nothing: %s",
  async (_, { settings, parts }) => {
    await world.configureHere(settings());
    await world.program(`new tracking.Website("shop", { domain: "shop.example.com" });\n`);
    const up = await world.fail(["up", "--yes", "--skip-preview"]);
    const said = diagnosis(up);
    expect(said.trim().split("\n"), up.output).toHaveLength(1);
    for (const part of parts) expect(said).toContain(part);
    expect(up.output).not.toMatch(STACK);
    expect(up.output).not.toContain(KEY);
    // The engine prints it when it happens (twice for a failed create), and once under Diagnostics.
    expect(times(up.output, said.trim().replace(/^error: /, ""))).toBeLessThanOrEqual(3);
    expect([up.written, await world.service.websites(), await world.resources()]).toEqual([[], [], {}]);
  },
);
