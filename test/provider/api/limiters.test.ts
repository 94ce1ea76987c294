import { expect, test, vi } from "vitest";
import { free, laravel, measure, send, useFakeClock, verbs } from "./limiters";

vi.mock("../../../provider/api/http", async (original) => ({
  ...(await original<object>()),
  send: (...sent: Parameters<typeof send>) => send(...sent),
}));
vi.mock("node:timers/promises", () => import("../../fake-timers.js"));
useFakeClock();

const MANY = 200;
test.each(verbs)(
  `Laravel's throttle lets ${MANY} of %s be done in 1.15 times the least time, and refuses few; so does no limit`,
  async (verb) => {
    const unlimited = await measure(free, verb, MANY);
    expect(unlimited).toMatchObject({ ups: 1, messages: [] });
    const { ups, messages, sent, took } = await measure(laravel, verb, MANY);
    expect({ ups, messages }).toEqual({ ups: 1, messages: [] });
    expect(took / laravel.least(unlimited.sent.length)).toBeLessThanOrEqual(1.15);
    expect(sent.filter(({ isRefused }) => isRefused).length / sent.length).toBeLessThanOrEqual(0.05);
    // Sixteen are in flight after five rounds.
    expect(unlimited.took / free.least(unlimited.sent.length)).toBeLessThanOrEqual(1.4);
  },
);
