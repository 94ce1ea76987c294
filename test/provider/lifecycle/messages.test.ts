import { beforeEach, expect, test, vi } from "vitest";
import { ledgerAt } from "../../../provider/hosts/run-file";
import { create, ResourceLedger, remove, update } from "../../../provider/lifecycle";
import { describeNone } from "../../../provider/lifecycle/account-guard";
import { describeDoubt, refusalFor, type Status } from "../../../provider/lifecycle/standing";
import { website } from "../../../provider/resources";
import { rejection } from "../../rejection";
import { type FaultReply, service } from "../../service";
import { run } from "../harness";

/** What may stand before the end of a message's first sentence, which a pull request's comment shows. */
const MAX_TITLE = 300;
const CHECK = "check tracking:apiKey and tracking:analyticsBaseUrl";
const shop = { domain: "shop.example", privacy: "private", emailReports: false, excludeBots: true };
const subject = { resource: website, values: shop, id: "7" };
const record = (id: string, domain: string) => ({
  id,
  values: { domain },
  createdAt: "2024-01-31T12:00:00Z",
});
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

/** What a step with the service's answer to one method ends with. */
async function after(
  method: string,
  reply: FaultReply,
  step: (at: ReturnType<typeof run>) => Promise<unknown>,
) {
  const { settings, control } = await service({ seed: { websites: [{ id: 7, domain: "shop.example" }] } });
  control.addFault({ match: { method, times: 0 }, reply });
  const { message } = await rejection(step(run(website, settings)));
  return message.replaceAll(settings.analyticsBaseUrl, "https://service.example");
}

/** What two resources of one program, "urn a" and "urn b", are refused with. */
function contested(steps: (ledger: ResourceLedger) => unknown): string {
  const ledger = new ResourceLedger(ledgerAt(undefined), website, { baseUrl: "x", account: "x" });
  try {
    steps(ledger);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("not refused");
}

test("every message of the lifecycle says in a short first sentence what happened to which record", async () => {
  const standings = (["renamed", "unknown", "another", "displaced", "missing"] satisfies Status[]).map(
    (status) => ({
      subject,
      status,
      record: status === "missing" ? undefined : record("7", "new.example"),
      namesakes: status === "displaced" ? [record("9", "shop.example")] : [],
    }),
  );
  const step = { ...subject, verb: "read" };
  const otherStep = { ...step, values: { domain: "other.example" }, id: "8" };
  const changed = { ...shop, emailReports: true };
  const forbidden: FaultReply = { status: 403, body: { message: "no" } };
  const taken: FaultReply = { status: 422, body: { errors: { domain: ["taken"] } } };
  const messages: Record<string, string> = {
    ...Object.fromEntries(
      standings.flatMap((standing) => [
        [`${standing.status}, at a write`, refusalFor(standing, CHECK).message],
        [
          `${standing.status}, so another one does not count as gone`,
          describeDoubt(otherStep, standing, CHECK).message,
        ],
      ]),
    ),
    "none of several is found": describeDoubt(step, describeNone(2, 0) ?? "", CHECK).message,
    "declared twice": contested((ledger) => {
      ledger.declare({}, shop, "urn:pulumi:dev::shop::t::a");
      ledger.declare({}, shop, "urn:pulumi:dev::shop::t::b");
    }),
    "two have it in state": contested((ledger) => {
      for (const name of ["a", "b"]) {
        const own = { ...shop, domain: `${name}.example` };
        ledger.declare(own, own, `urn:pulumi:dev::shop::t::${name}`);
        ledger.markCompared("7", own, own, "kept");
      }
    }),
    "adopted twice": contested((ledger) => {
      for (const name of ["a", "b"]) {
        const own = { ...shop, domain: `${name}.example` };
        ledger.declare({}, own, `urn:pulumi:dev::shop::t::${name}`);
        ledger.adopt("7", own);
      }
    }),
    "another may keep what is deleted": contested((ledger) => {
      ledger.declare({ domain: "old.example" }, shop, "urn:pulumi:dev::shop::t::a");
      ledger.beginDelete("7", shop);
    }),
    "create: it exists": await after("PATCH", forbidden, (at) => create(at, shop)),
    "create: forbidden": await after("POST", forbidden, (at) => create(at, { ...shop, domain: "b.example" })),
    "create: the key is taken": await after("POST", taken, (at) =>
      create(at, { ...shop, domain: "b.example" }),
    ),
    "create: the answer is lost": await after("POST", { status: 500 }, (at) =>
      create(at, { ...shop, domain: "b.example" }),
    ),
    "update: forbidden": await after("PUT", forbidden, (at) => update(at, "7", shop, changed)),
    "update: not found": await after("PUT", { status: 404, body: { message: "?" } }, (at) =>
      update(at, "7", shop, changed),
    ),
    "update: not stored": await after("PUT", { status: 200, body: { data: { id: 7 } } }, (at) =>
      update(at, "7", shop, changed),
    ),
    "delete: forbidden": await after("DELETE", forbidden, (at) => remove(at, "7", shop)),
    "delete: not found, and there": await after("DELETE", { status: 404, body: { message: "?" } }, (at) =>
      remove(at, "7", shop),
    ),
  };
  for (const [what, message] of Object.entries(messages))
    expect(message.split(/\. (?=[A-Z"])/)[0]?.length, what).toBeLessThanOrEqual(MAX_TITLE);
  expect(messages["delete: forbidden"]).not.toContain("no room");
  const page = Object.entries(messages).map(([what, message]) => `${what}\n  ${message}\n`);
  await expect(page.join("\n")).toMatchFileSnapshot("golden/messages.txt");
});
