import { describe, expect, test } from "vitest";
import { PartialFailure, update } from "../../../provider/lifecycle";
import { website } from "../../../provider/resources";
import { rejection } from "../../rejection";
import type { FaultReply, WebsiteSeed } from "../../service";
import { world, writes } from "../harness";

const path = `${website.path}/1`;
const row: WebsiteSeed = { id: 1, domain: "shop.example", privacy: 1, email: 1, exclude_bots: 1 };
const olds = { domain: "shop.example", privacy: "private", emailReports: true, excludeBots: true };
const news = { ...olds, privacy: "public" };
const all = { privacy: "0", email: "1", exclude_bots: "1" };

/** A service with one website, which keeps what it is not sent and says so; and the forms that it was sent. */
async function withWebsite() {
  const here = await world({ dialect: "spec", seed: { websites: [row] } });
  const answers = (method: string, reply: object, commit: "before" | "never") =>
    here.control.addFault({ match: { method, path, times: 0 }, commit, reply: reply as FaultReply });
  return { ...here, answers, forms: () => writes(here).map(([, form]) => form) };
}

describe("an update of one field", () => {
  test.each([
    ["says so", { email: 1 }],
    ["says null", { email: null }],
  ])(
    "where the service keeps what it is not sent and %s is one request, and no look at the record after it",
    async (_, echo) => {
      const { at, answers, control, forms, store } = await withWebsite();
      answers("PUT", { body: { data: { ...row, privacy: 0, ...echo } } }, "before");
      expect(await update(at, "1", olds, news)).toMatchObject(news);
      expect([forms(), store.only()]).toMatchObject([[{ privacy: "0" }], { email: 1 }]);
      expect(control.requests().at(-1)?.method).toBe("PUT");
    },
  );

  test("that empties a list is done if the answer has null for it", async () => {
    const { at, answers, control, store } = await withWebsite();
    answers("PUT", { body: { data: { ...row, exclude_ips: null } } }, "before");
    const before = { ...olds, excludeIps: ["192.0.2.1"] };
    expect(await update(at, "1", before, olds)).toMatchObject(olds);
    expect(store.only().exclude_ips).toBeOneOf([null, ""]);
    expect(control.requests().at(-1)?.method).toBe("PUT");
  });

  test("where the service resets what it is sent a part of, and says so, sends all of it once more", async () => {
    const { at, control, forms, store } = await withWebsite();
    control.become({ put: "clears" });
    expect(await update(at, "1", olds, news)).toMatchObject(news);
    expect(forms()).toEqual([{ privacy: "0" }, all]);
    expect(store.only()).toMatchObject({ privacy: 0, email: 1, exclude_bots: 1 });
  });

  test("where the service changes another field for good, is reported, and is not in state", async () => {
    const { at, answers, forms } = await withWebsite();
    const changed = { body: { data: { ...row, privacy: 0, email: 0 } } };
    for (const method of ["PUT", "GET"]) answers(method, changed, "before");
    const error = (await rejection(update(at, "1", olds, news))) as PartialFailure;
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.message).toContain(
      "emailReports: sent true, stored false. Run the same command again; if it ends so again, declare",
    );
    expect(forms()).toHaveLength(2);
    // So that the next update has something to do.
    expect(error.state).not.toEqual(news);
  });

  test("that the service does not store is sent again with what it never shows, such as a password", async () => {
    const { at, answers, control, forms, later } = await withWebsite();
    answers("PUT", { body: { data: row } }, "never");
    const before = { ...olds, password: "old", excludeParams: ["a"] };
    const wanted = { ...news, password: "new", excludeParams: ["b"] };
    const { state } = (await rejection(update(at, "1", before, wanted))) as PartialFailure;
    control.clearFaults();
    expect(await update(later(), "1", state, wanted)).toMatchObject(wanted);
    expect(forms()[1]).toEqual({ privacy: "0", password: "new", exclude_params: "b" });
  });

  test("that the service denies is not done, though it never shows what was sent", async () => {
    const { at, answers } = await withWebsite();
    answers("GET", { body: { data: row } }, "never");
    answers("PUT", { body: { success: false, message: "Not in this plan." } }, "never");
    const before = { ...olds, password: "old" };
    const error = (await rejection(update(at, "1", before, { ...olds, password: "new" }))) as PartialFailure;
    expect(error.message).toMatch(/password; .*Not in this plan\..* password: sent \(secret\)/);
    expect(error.state).toMatchObject(before);

    // An answer that only shows another record denies nothing.
    const odd = await withWebsite();
    odd.answers("PUT", { body: { data: { ...row, id: 2 } } }, "before");
    odd.answers("GET", { body: { data: row } }, "never");
    const wanted = { ...olds, password: "new" };
    expect(await update(odd.at, "1", before, wanted)).toMatchObject(wanted);
  });

  test("where the service answers with another domain, is not believed, and is sent once", async () => {
    const other = { body: { data: { ...row, domain: "other.example", privacy: 0 } } };
    const { answers, forms, later } = await withWebsite();
    answers("PUT", other, "before");
    answers("GET", other, "never");
    const { message, state } = (await rejection(update(later(), "1", olds, news))) as PartialFailure;
    expect(message).toContain("(id 1) was written, but the service no longer finds it");
    expect(state).toEqual(olds);
    expect(forms()).toHaveLength(1);
  });

  test.each<[number, unknown, RegExp]>([
    [422, { privacy: ["no"] }, / \(privacy\)/],
    [403, "no", /updated: .*\(403/],
  ])("where the service refuses with %s and %j, is sent once", async (status, message, says) => {
    const { at, answers, forms } = await withWebsite();
    answers("PUT", { status, body: { message } }, "never");
    expect((await rejection(update(at, "1", olds, news))).message).toMatch(says);
    expect(forms()).toHaveLength(1);
  });
});

describe.each<[object, string?]>([
  [{ message: "updated" }],
  [{ msg: "ok", id: 1, domain: "shop.example" }, "privacy"],
  [{ data: { ...row, id: 2, privacy: 0 } }, "id 2"],
  [{ success: false, message: "Not in this plan.", data: { id: 1, privacy: 0 } }, "Not in this plan."],
])("an update that is answered with %j", (body, words = "") => {
  test("is done if the record, read again, has it", async () => {
    const { at, answers, store } = await withWebsite();
    answers("PUT", { body }, "before");
    expect(await update(at, "1", olds, news)).toMatchObject(news);
    expect(store.only()).toMatchObject({ privacy: 0 });
  });
  test("is not done if it has not, not even of a field that the program did not set before", async () => {
    const { at, answers } = await withWebsite();
    answers("PUT", { body }, "never");
    const { privacy: _unset, ...before } = olds;
    const error = await rejection(update(at, "1", before, news));
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.message).toContain(words);
  });
});
