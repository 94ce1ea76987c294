import { expect, it } from "vitest";
import { page } from "../service";
import { frontOf } from "./front";
import { scene } from "./scene";
import { Stack } from "./stack";

it("G2: loses no record of a list that changes while its pages are read", async () => {
  const { stack, control } = await scene("Website");
  const strangers = (from: number) =>
    Array.from({ length: 120 }, (_, at) => ({ id: from + at, domain: `s${from + at}.example.com` }));
  control.seed({ websites: strangers(1) });
  const declared = Array.from({ length: 12 }, (_, at) => ({
    type: "Website" as const,
    name: `w${at}`,
    args: { domain: `w${at}.example.org` },
  }));
  expect((await stack.up(declared)).errors).toEqual([]);
  const front = await frontOf(control.url);
  stack.settings.analyticsBaseUrl = front.url;
  const refreshed = stack.refresh();
  await front.held;
  // The first record of page two moves to page one, which has already been read.
  for (let id = 1; id <= 30; id += 1) control.deleteWebsite(id);
  control.insertWebsite({ domain: "new.example.com" });
  front.release();
  expect(await refreshed).toMatchObject({ steps: [], errors: [] });
  expect(stack.ids()).toHaveLength(12);
});

it("D14: deletes the old record of a replacement with the next up, if its delete failed", async () => {
  const { stack, control, declared, path } = await scene("Website");
  await stack.up([declared]);
  control.addFault({
    match: { method: "DELETE", path: `${path}/*`, times: 0 },
    reply: page(500),
  });
  const moved = { ...declared, args: { ...declared.args, domain: "moved.example.com" } };
  const { errors } = await stack.up([moved]);
  expect(errors).toEqual([expect.stringContaining("(500")]);
  expect(control.websites()).toHaveLength(2);
  expect(stack.ids()).toHaveLength(2);
  control.clearFaults();
  expect(await stack.up([moved])).toMatchObject({ steps: ["delete one (old)"], errors: [] });
  expect(control.websites()).toMatchObject([{ domain: "moved.example.com" }]);
});

it("G1: gives one of two stacks the record that both create at once, and tells the other that it exists", async () => {
  const { stack, control, declared } = await scene("Website");
  // The other stack reads the list before the first one's create.
  const front = await frontOf(control.url);
  const other = new Stack({ ...stack.settings, analyticsBaseUrl: front.url });
  const running = other.up([declared]);
  await front.held;
  expect((await stack.up([declared])).errors).toEqual([]);
  front.release();
  expect((await running).errors).toEqual([expect.stringContaining("exists already")]);
  expect([stack.ids(), other.ids()]).toEqual([control.websites().map(({ id }) => String(id)), []]);
});
