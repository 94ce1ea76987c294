import { describe, expect, test, vi } from "vitest";
import {
  COUNT,
  free,
  limiters,
  measure,
  type Row,
  send,
  unsteady,
  useFakeClock,
  type Verb,
  verbs,
} from "./limiters";

vi.mock("../../../provider/api/http", async (original) => ({
  ...(await original<object>()),
  send: (...sent: Parameters<typeof send>) => send(...sent),
}));
vi.mock("node:timers/promises", () => import("../../fake-timers.js"));
useFakeClock();

const boundOf = ({ bounds }: Row, verb: Verb) => bounds?.[verb] ?? 1.5;

/** Does all, and checks what the service has then, after another run with those that failed. */
async function done(row: Row, verb: Verb) {
  const measured = await measure(row, verb);
  const { rows, most, sent, left } = measured;
  expect(left).toBe(0);
  expect(new Set(rows.map(({ domain }) => domain)).size).toBe(verb === "delete" ? 0 : COUNT);
  expect(rows).toHaveLength(verb === "delete" ? 0 : COUNT);
  expect(rows.filter(({ privacy }) => privacy !== (verb === "update" ? 0 : 1))).toEqual([]);
  expect(most).toBeLessThanOrEqual(16);
  return { ...measured, refused: sent.filter(({ isRefused }) => isRefused).length };
}

describe.each(limiters)("behind a limiter ($name)", (row) => {
  test.each(verbs)(
    "200 of %s are done in little more than the least time, and few are refused",
    async (verb) => {
      const { messages, took, sent, refused } = await done(row, verb);
      const least = (await measure(free, verb)).sent.length;
      expect(took / row.least(least)).toBeLessThanOrEqual(boundOf(row, verb));
      expect(refused / sent.length).toBeLessThanOrEqual(row.mayRefuse ?? 0.1);
      const lost = sent.filter(({ method, isRefused }) => method === "POST" && isRefused).length;
      expect(messages).toHaveLength(/ 50\d/.test(row.name) ? lost : 0);
      for (const message of messages)
        expect(message).toMatch(
          /\(503: text\/html\)\. Run "pulumi config set tracking:requestsPerMinute 30", or the number that the service allows, and the same command again$|\(50[24]: text\/html\)/,
        );
    },
  );
});

describe.each(unsteady)("a service that refuses $name", (row) => {
  test.each(verbs)("lets 200 of %s end soon, and nothing is there twice", async (verb) => {
    const { sent, messages, rows, left, took } = await measure(row, verb);
    expect(rows).toHaveLength(verb === "delete" ? left : COUNT - left * Number(verb === "create"));
    expect(new Set(rows.map(({ domain }) => domain)).size).toBe(rows.length);
    const lost = sent.filter(({ method, isRefused }) => method === "POST" && isRefused).length;
    expect(messages).toHaveLength(verb === "create" ? lost : 0);
    const least = (await measure(free, verb)).sent.length;
    // Creates that have to look wait 3.5 s for what may come late, and share a list, of which a 503 may meet each page.
    if (verb === "create") expect(sent.length / least).toBeLessThanOrEqual(1.8);
    const looks = verb === "create" ? 3500 : 0;
    expect((took - looks) / row.least(least)).toBeLessThanOrEqual(boundOf(row, verb));
  });

  test.each(["update", "delete"] as const)("lets 1000 of %s end soon", async (verb) => {
    const { messages, took } = await measure(row, verb, 1000);
    // A DELETE is not sent for ever.
    expect(messages.length).toBeLessThanOrEqual(verb === "delete" ? 1 : 0);
    const least = (await measure(free, verb, 1000)).sent.length;
    expect(took / row.least(least)).toBeLessThanOrEqual(boundOf(row, verb));
  });
});
