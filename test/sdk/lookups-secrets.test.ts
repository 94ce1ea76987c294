import { beforeEach, describe, expect, it, vi } from "vitest";
import * as tracking from "../../sdk";
import { everythingOf } from "../provider/lookups/harness";
import type { Emulator, FaultReply } from "../service";
import { configured, engineWithout, printed } from "./lookups-harness";

/** With characters that each encoding writes in its own way. */
let count = 0;
function newKey(): string {
  count += 1;
  return `canary-${count}/of a+key="${"x".repeat(12)}"&=%`;
}

/** What the test's program has printed. */
let told: string[] = [];

/** Every way in which a key may be written. */
const forms = (key: string) => [
  key,
  encodeURIComponent(key),
  new URLSearchParams({ k: key }).toString().slice(2),
  Buffer.from(key).toString("base64").replace(/=+$/, ""),
  Buffer.from(key).toString("base64url"),
  JSON.stringify(key).slice(1, -1),
  key.slice(0, 12),
];

/** A look-up of each service, such that the service has something against it. */
const asked: [string, () => Promise<unknown>][] = [
  ["getAccount", () => tracking.getAccount()],
  ["validatePurchase", () => tracking.validatePurchase({ purchaseCode: "nonsense" })],
  ["getWebsite", () => tracking.getWebsite({ id: "4711" })],
  ["getPixels", () => tracking.getPixels()],
];

const fault =
  (reply: (key: string, url: string) => FaultReply) =>
  ({ control, url }: Emulator, key: string) =>
    control.addFault({ match: { times: 99 }, reply: reply(key, url) });

/** How a service may give a key away. */
const leaks: [string, (emulator: Emulator, key: string) => unknown][] = [
  ["repeats it where it is right", ({ control }) => control.configure({ echoKey: true })],
  [
    "repeats it where it is wrong",
    async ({ control }, key) => {
      await control.revokeKey(key);
      await control.configure({ echoKey: true });
    },
  ],
  [
    "redirects with it",
    fault((key, url) => ({
      status: 302,
      headers: { location: `${url}/login?${new URLSearchParams({ key })}` },
    })),
  ],
  [
    "says it in a field's name and text",
    fault((key) => ({ status: 422, body: { errors: { [key]: [key, forms(key).join(" ")] } } })),
  ],
  [
    "sends it as the kind of its answer",
    fault((key) => ({ headers: { "content-type": `text/${forms(key)[1]}` }, body: "<html>" })),
  ],
  ["breaks the connection", fault(() => "half-headers")],
];

beforeEach(async () => {
  await engineWithout();
  vi.stubEnv("TRACKING_LOG", "debug");
  // No wait between two attempts.
  vi.spyOn(Math, "random").mockReturnValue(0);
  told = printed();
  return () => vi.unstubAllEnvs();
});

describe.each(leaks)("where a service %s", (_how, leak) => {
  it.each(asked)("the key is in nothing that %s shows", async (_name, ask) => {
    const key = newKey();
    const emulator = await configured({ apiKey: key }, { apiKey: key });
    await leak(emulator, key);
    const outcome = await ask().then(everythingOf, everythingOf);
    // What an answer holds, a program may show.
    const answer = JSON.stringify(await ask().catch(() => null));
    const all = [...told, outcome, answer].join("\n");
    for (const form of forms(key)) expect(all).not.toContain(form);
    expect(told.join("\n")).toMatch(/(GET|POST) http:\/\/127\.0\.0\.1/);
  });
});

describe("a look-up", () => {
  it("hands on the service's words on a purchase code in the same way", async () => {
    const emulator = await configured();
    const msg = `\u001b[31mno\nlocal-key <{%reset%}>${"x".repeat(9_000)}`;
    await emulator.control.addFault({
      match: { path: "/api/purchases/validation", times: 99 },
      reply: { status: 404, body: { status: "error", msg } },
    });
    const validation = await tracking.validatePurchase({ purchaseCode: "nonsense" });
    const reason = validation.valid ? "" : validation.reason;
    expect(reason).not.toMatch(/[\p{Cc}]|<\{%|local-key/u);
    expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(2048);
  });
});
