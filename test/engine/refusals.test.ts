import { describe, expect, it } from "vitest";
import { cases, KEY, type Ran, STACK, times, useHarness } from "./harness";

const world = useHarness();

const PROGRAM = `new tracking.Website("shop", { domain: "shop.example.com" });\n`;

/** The lines under Diagnostics that belong to the resource. */
function diagnosis({ stdout }: Ran): string {
  const all = stdout.slice(stdout.indexOf("\nDiagnostics:\n"));
  return /^ {2}pulumi-nodejs:dynamic\/tracking:Website \(shop\):\n((?: {4}.*\n)*)/m.exec(all)?.[1] ?? "";
}

/** One clear message, at the resource it is about, and no request that writes. */
async function expectRefusal(ran: Ran, ...parts: (string | RegExp)[]): Promise<void> {
  const said = diagnosis(ran);
  expect(said.trim().split("\n"), ran.output).toHaveLength(1);
  for (const part of parts) expect(said).toMatch(part instanceof RegExp ? part : literally(part));
  expect(ran.output).not.toMatch(STACK);
  expect(ran.output).not.toContain(KEY);
  // The engine prints it when it happens (twice for a failed create), and once under Diagnostics.
  expect(times(ran.output, said.trim().replace(/^error: /, ""))).toBeLessThanOrEqual(3);
  expect(times(ran.output.slice(ran.output.indexOf("\nDiagnostics:\n")), said.trim())).toBe(1);
  expect(ran.written.filter(({ method }) => method !== "POST")).toEqual([]);
  expect(await world.service.websites()).toEqual([]);
  expect(await world.resources()).toEqual({});
}

function literally(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
}

describe("an invalid setting stops a preview", () => {
  it.each(
    cases([
      {
        says: "a key that is missing",
        settings: () => ({ url: world.service.url }),
        parts: [
          "the API key for websites is missing",
          'run "pulumi config set --secret tracking:apiKey"',
          "TRACKING_API_KEY",
        ],
      },
      {
        says: "a number that is none",
        settings: () => ({ key: KEY, url: world.service.url, plain: { requestTimeout: "soon" } }),
        parts: ["tracking:requestTimeout", "soon", "a number above 0"],
      },
    ]),
  )("%s", async (_says, { settings, parts }) => {
    await world.configureHere(settings());
    await world.program(PROGRAM);
    const preview = await world.fail(["preview"]);
    expect(preview.sent).toEqual([]);
    await expectRefusal(preview, ...parts);
  });
});

describe("a request that fails stops an up with one sentence", () => {
  it("if the base URL leads elsewhere, naming its setting", async () => {
    await world.configureHere({ key: KEY, url: `${world.service.url}/elsewhere` });
    await world.program(PROGRAM);
    const up = await world.fail(["up", "--yes", "--skip-preview"]);
    await expectRefusal(up, "shop.example.com", "404", "/elsewhere", "tracking:analyticsBaseUrl");
  });

  it("if the service rejects a change, naming the field by the program's name", async () => {
    const program = (emailReports: boolean) =>
      `new tracking.Website("shop", { domain: "shop.example.com", emailReports: ${emailReports} });\n`;
    await world.program(program(false));
    await world.up();
    const before = [await world.service.websites(), await world.kept()];
    const { id } = await world.website("shop.example.com");
    await world.service.addFault({
      match: { method: "PUT" },
      reply: {
        status: 422,
        headers: { "Content-Type": "application/json" },
        body: { message: { email: ["Reports cost extra."] }, status: 422 },
      },
    });
    await world.program(program(true));
    const up = await world.fail(["up", "--yes", "--skip-preview"]);
    expect(diagnosis(up)).toContain(
      `website "shop.example.com" (id ${id}) can't be updated (emailReports): the service refuses it (422: email: Reports cost extra.)`,
    );
    expect(up.output).not.toMatch(STACK);
    expect([await world.service.websites(), await world.kept()]).toEqual(before);
    await world.service.clearFaults();
    await world.up();
    expect(await world.website("shop.example.com")).toMatchObject({ email: 1 });
  });
});
