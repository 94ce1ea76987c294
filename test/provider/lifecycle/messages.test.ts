import { readFileSync } from "node:fs";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { linesOf } from "../../../provider/api/api";
import { endpoint, IGNORE_PROTECTION } from "../../../provider/config";
import { NativeResource } from "../../../provider/hosts/native/resource";
import { ledgerAt, runFile } from "../../../provider/hosts/run-file";
import {
  assertReadable,
  create,
  Ledger,
  ResourceLedger,
  read,
  remove,
  update,
} from "../../../provider/lifecycle";
import { describeNone } from "../../../provider/lifecycle/account-guard";
import { refusalFor, refusalForDoubt, type Status } from "../../../provider/lifecycle/standing";
import { website } from "../../../provider/resources";
import { formatMessages, headingsOf, sectionsNamed } from "../../messages-page";
import { rejection } from "../../rejection";
import { type Fault, type FaultReply, service, type WebsiteSeed } from "../../service";
import { bareRun, type Run, run, sessionOf } from "../harness";

const CHECK = "check tracking:apiKey and tracking:analyticsBaseUrl";
const shop = { domain: "shop.example", privacy: "private", emailReports: false, excludeBots: true };
const made = { ...shop, domain: "b.example" };
const changed = { ...shop, emailReports: true };
const subject = { resource: website, values: shop, id: "7" };
const record = (id: string, domain: string) => ({
  id,
  values: { domain },
  createdAt: "2024-01-31T12:00:00Z",
});
const path = `${website.path}/7`;
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

type Lines = readonly string[];

/** What a step ends with at a service that has these websites, and these faults. */
async function after(
  faults: readonly Fault[],
  step: (at: Run) => Promise<unknown>,
  websites: WebsiteSeed[] = [{ id: 7, domain: "shop.example" }],
): Promise<Lines> {
  const { settings, control } = await service({ seed: { websites } });
  for (const fault of faults) control.addFault(fault);
  const lines = linesOf(await rejection(step(run(website, { ...settings, maxRetryWait: "1" }))));
  return lines.map((line) => line.replaceAll(settings.analyticsBaseUrl, "https://service.example"));
}

/** The same if each answer to one method is this one. */
const answered = (method: string, reply: FaultReply, step: (at: Run) => Promise<unknown>) =>
  after([{ match: { method, times: 0 }, reply }], step);

/** What two resources of one program, "a" and "b", are refused with. */
function contested(steps: (here: ResourceLedger) => unknown): Lines {
  const here = new ResourceLedger(ledgerAt(undefined), website, { baseUrl: "x", account: "x" });
  return refused(() => steps(here));
}

function refused(steps: () => unknown): Lines {
  try {
    steps();
  } catch (error) {
    return linesOf(error);
  }
  throw new Error("not refused");
}

const urn = (name: string) => `urn:pulumi:dev::shop::t::${name}`;
const withDomain = (name: string) => ({ ...shop, domain: `${name}.example` });

/** How a record in state stands, and what is said of it. */
function standings(): Record<string, Lines> {
  const all = (["another", "displaced", "missing"] satisfies Status[]).map((status) => ({
    subject,
    status,
    record: status === "missing" ? undefined : record("7", "new.example"),
    namesakes: status === "displaced" ? [record("9", "shop.example")] : [],
  }));
  const other = { ...subject, verb: "read", values: { domain: "other.example" }, id: "8" };
  const made_again = {
    subject,
    status: "missing",
    record: undefined,
    namesakes: [record("9", "shop.example")],
  } as const;
  return {
    ...Object.fromEntries(
      all.map((standing) => [`${standing.status}, at a write`, linesOf(refusalFor(standing, CHECK))]),
    ),
    "missing, and another has its domain": linesOf(refusalFor(made_again, CHECK)),
    ...Object.fromEntries(
      // What is missing is no doubt about the account.
      all
        .slice(0, 2)
        .map((standing) => [
          `${standing.status}, so another one does not count as gone`,
          linesOf(refusalForDoubt(other, standing, CHECK)),
        ]),
    ),
    "none of several is found": linesOf(
      refusalForDoubt({ ...subject, verb: "read" }, describeNone(2) ?? "", CHECK),
    ),
  };
}

/** What the ledger of a run refuses. */
function refusals(): Record<string, Lines> {
  const unwritable = () => {
    const ledger = new Ledger(runFile("a", { folder: "/dev/null/run" }), () => "a");
    new ResourceLedger(ledger, website, { baseUrl: "x", account: "x" }).declare({}, shop, urn("a"));
  };
  return {
    "declared twice": contested((here) => {
      here.declare({}, shop, urn("a"));
      here.declare({}, shop, urn("b"));
    }),
    "two have it in state": contested((here) => {
      for (const name of ["a", "b"]) {
        here.declare(withDomain(name), withDomain(name), urn(name));
        here.assertCompared("7", withDomain(name), "kept");
      }
    }),
    "adopted twice": contested((here) => {
      for (const name of ["a", "b"]) {
        here.declare({}, withDomain(name), urn(name));
        here.assertAdoptable("7", withDomain(name));
      }
    }),
    "adopted after its delete began": contested((here) => {
      here.beginDelete("7", shop);
      here.assertAdoptable("7", shop);
    }),
    "kept after its delete began": contested((here) => {
      here.beginDelete("7", shop);
      here.declare(shop, shop, urn("a"));
      here.assertCompared("7", shop, "kept");
    }),
    "claimed by one that has not come": contested((here) => {
      here.declare({}, shop, urn("a"));
      here.assertAdoptable("7", shop, "claimed");
      here.beginDelete("7", shop);
    }),
    "another may keep what is deleted": contested((here) => {
      here.declare({ domain: "old.example" }, shop, urn("a"));
      here.beginDelete("7", shop);
    }),
    "another waits for what is deleted": contested((here) => {
      here.declare(shop, withDomain("new"), urn("a"));
      here.assertCompared("7", withDomain("new"), "left");
      here.declare({}, withDomain("new"), urn("a"));
      here.declare({}, shop, urn("b"));
      here.assertAdoptable("7", shop, "claimed");
      here.beginDelete("7", shop);
    }),
    "another that failed declares what is deleted": contested((here) => {
      here.declare({}, shop, urn("a"));
      here.markFailed(shop);
      here.beginDelete("7", shop);
    }),
    "the run's file can't be written": refused(unwritable).map((line) => line.replace(/\(.*\)/, "(reason)")),
  };
}

/** What the plugin refuses to delete or replace. */
async function protections(): Promise<Record<string, Lines>> {
  vi.stubEnv(IGNORE_PROTECTION, "");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { settings } = await service({ seed: { websites: [{ id: 7, domain: "shop.example" }] } });
  const refusal = async (step: (resource: NativeResource) => Promise<unknown>, declares = false) => {
    const shared = bareRun();
    const session = sessionOf(website, settings, shared);
    const resource = new NativeResource({ resource: website, run: shared, session }, urn("shop"));
    if (declares) await resource.check({}, { domain: "b.example" });
    return (await rejection(step(resource))).message.split("\n");
  };
  return {
    "protected, and replaced": await refusal((resource) => resource.diff("7", shop, made, shop)),
    "protected, and its lines are gone": await refusal((resource) => resource.delete("7", shop, {}), true),
    "protected, and destroyed": await refusal((resource) => resource.delete("7", shop, {})),
  };
}

test("the first line stays short, whatever a service says, and shows that words are missing", async () => {
  const long = "They say it at length. ".repeat(100);
  const steps: Record<string, (at: Run) => Promise<unknown>> = {
    POST: (at) => create(at, made),
    PUT: (at) => update(at, "7", shop, changed),
    DELETE: (at) => remove(at, "7", shop),
  };
  const bodies = (status: number): FaultReply[] => [
    { status, body: { message: long } },
    { status, body: { errors: { domain: [long], [long]: [long] } } },
    { status, body: "<p>", headers: { "content-type": `text/${long}` } },
    { status: 302, headers: { location: `https://sign-in.example/${"x".repeat(500)}` } },
    { status: 200, body: { success: false, message: long } },
  ];
  for (const [method, step] of Object.entries(steps))
    for (const reply of [403, 404, 422].flatMap(bodies)) {
      const [title = ""] = await answered(method, reply, step);
      expect(title.length, title).toBeLessThanOrEqual(300);
      expect(title).toContain("…");
    }
});

test("every message of the lifecycle says in a short first line what happened to which record, and below it what to do", async () => {
  const forbidden: FaultReply = { status: 403, body: { message: "no" } };
  const missing: FaultReply = { status: 404, body: { message: "?" } };
  const taken: FaultReply = { status: 422, body: { errors: { domain: ["taken"] } } };
  const unlisted = { match: { path: website.path, times: 0 }, reply: { body: { data: [{ id: 9 }] } } };
  const wrong: Record<string, string> = { apiKey: "key", analyticsBaseUrl: "stats.example" };
  const messages: Record<string, Lines> = {
    ...standings(),
    ...refusals(),
    "create: it exists": await answered("PATCH", forbidden, (at) => create(at, shop)),
    "create: another resource has it": await after([], (at) => {
      at.ledger.declare({}, withDomain("a"), urn("a"));
      at.ledger.markMade("7", withDomain("a"));
      return create(at, shop);
    }),
    "adopt: two match": await after(
      [],
      (at) => create(at, { ...shop, adopt: true }),
      [7, 9].map((id) => ({ id, domain: "shop.example" })),
    ),
    "create: forbidden": await answered("POST", forbidden, (at) => create(at, made)),
    "create: the key is taken": await answered("POST", taken, (at) => create(at, made)),
    "create: the list may be incomplete": await after([unlisted], (at) => create(at, made)),
    "create: the answer is lost": await answered("POST", { status: 500 }, (at) => create(at, made)),
    "create: a limiter answers": await answered(
      "POST",
      { status: 429, headers: { "retry-after": "0.01" } },
      (at) => create(at, made),
    ),
    "create: the key is rejected": await answered("GET", { status: 401, body: {} }, (at) => create(at, made)),
    "create: the list can't be read": await answered("GET", forbidden, (at) => create(at, made)),
    "read: no domain": await after(
      [{ match: { path, times: 0 }, reply: { body: { data: { id: 7, privacy: 1 } } } }],
      (at) => read(at, "7", shop),
      [{ id: 8, domain: "other.example" }],
    ),
    "read: the list lacks it, and its own path fails": await after(
      [{ match: { path, times: 0 }, reply: forbidden }],
      (at) => read(at, "7", shop),
      [{ id: 8, domain: "other.example" }],
    ),
    "state: a value of another type": refused(() =>
      assertReadable({ ...subject, values: { ...shop, excludeIps: "192.0.2.7" } }),
    ),
    "update: forbidden": await answered("PUT", forbidden, (at) => update(at, "7", shop, changed)),
    "update: not found": await answered("PUT", missing, (at) => update(at, "7", shop, changed)),
    "update: not stored": await answered("PUT", { body: { data: { id: 7 } } }, (at) =>
      update(at, "7", shop, changed),
    ),
    "update: it can't be read back": await after(
      [
        { match: { method: "PUT" }, reply: { status: 200, body: { data: { id: 7 } } } },
        { match: { path, method: "GET", times: 0 }, reply: forbidden },
      ],
      (at) => update(at, "7", shop, changed),
    ),
    "delete: forbidden": await answered("DELETE", forbidden, (at) => remove(at, "7", shop)),
    "delete: not found, and there": await answered("DELETE", missing, (at) => remove(at, "7", shop)),
    ...(await protections()),
    "settings: none": refused(() => endpoint("analytics", { get: () => undefined }, {})),
    "settings: none after a refresh": refused(() =>
      endpoint("analytics", { get: () => undefined }, {}, () => "refresh"),
    ),
    "settings: a wrong address": refused(() => endpoint("analytics", { get: (key) => wrong[key] }, {})),
  };
  expect(messages["delete: forbidden"]?.join()).not.toContain("no room");
  const page = formatMessages(messages);
  for (const [file, section] of sectionsNamed(page))
    expect(headingsOf(readFileSync(file, "utf8")), section).toContain(section);
  await expect(page).toMatchFileSnapshot("golden/messages.txt");
});
