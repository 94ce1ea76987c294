import { expect, test } from "vitest";
import { judge, type Verdict } from "../../../provider/api/statuses";

const statuses = Array.from({ length: 500 }, (_, at) => 100 + at);
const those = (verdict: Verdict, namesWait: boolean) =>
  statuses.filter((status) => judge(status, { method: "GET" }, { isJson: true, namesWait })[0] === verdict);
const cloudflare = [520, 521, 522, 523, 524, 525, 526, 527, 528, 529, 530];

test("a request may be done and is seen to later after these statuses, whatever they name", () => {
  for (const namesWait of [true, false])
    expect(those("busy", namesWait)).toEqual([408, 425, 502, 503, 504, ...cloudflare]);
});

test("a 429 is a limit, and others of a limiter are if they name a wait", () => {
  expect(those("limited", false)).toEqual([429]);
  expect(those("limited", true)).toEqual([403, 409, 420, 423, 429]);
});

test("every other status of 500 and above is a failure", () =>
  expect(those("failed", false)).toEqual(
    statuses.filter((status) => status >= 500 && ![502, 503, 504, ...cloudflare].includes(status)),
  ));
