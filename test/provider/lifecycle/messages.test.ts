import { beforeEach, expect, test, vi } from "vitest";
import { linesOf } from "../../../provider/api/api";
import { ledgerAt } from "../../../provider/hosts/run-file";
import { create, ResourceLedger, remove, update } from "../../../provider/lifecycle";
import { describeNone } from "../../../provider/lifecycle/account-guard";
import { describeDoubt, refusalFor, type Status } from "../../../provider/lifecycle/standing";
import { website } from "../../../provider/resources";
import { rejection } from "../../rejection";
import { type FaultReply, service } from "../../service";
import { run } from "../harness";

/** How long the first line may be, which alone the engine's rows show. */
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
  const lines = linesOf(await rejection(step(run(website, settings))));
  return lines.map((line) => line.replaceAll(settings.analyticsBaseUrl, "https://service.example"));
}

/** What two resources of one program, "urn a" and "urn b", are refused with. */
function contested(steps: (ledger: ResourceLedger) => unknown): readonly string[] {
  const ledger = new ResourceLedger(ledgerAt(undefined), website, { baseUrl: "x", account: "x" });
  try {
    steps(ledger);
  } catch (error) {
    return linesOf(error);
  }
  throw new Error("not refused");
}

test("every message of the lifecycle says in a short first line what happened to which record, and below it what to do", async () => {
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
  const messages: Record<string, readonly string[]> = {
    ...Object.fromEntries(
      standings.map((standing) => [`${standing.status}, at a write`, linesOf(refusalFor(standing, CHECK))]),
    ),
    ...Object.fromEntries(
      // What is renamed or missing is no doubt about the account.
      standings
        .slice(1, 4)
        .map((standing) => [
          `${standing.status}, so another one does not count as gone`,
          linesOf(describeDoubt(otherStep, standing, CHECK)),
        ]),
    ),
    "none of several is found": linesOf(describeDoubt(step, describeNone(2, 0) ?? "", CHECK)),
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
  for (const [what, [title]] of Object.entries(messages))
    expect(title?.length, what).toBeLessThanOrEqual(MAX_TITLE);
  expect(messages["delete: forbidden"]?.join()).not.toContain("no room");
  const page = Object.entries(messages).map(([what, lines]) => `${[what, ...lines].join("\n  ")}\n`);
  await expect(page.join("\n")).toMatchFileSnapshot("golden/messages.txt");
});
