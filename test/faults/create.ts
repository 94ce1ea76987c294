import { IMPORT } from "../../provider/lifecycle/advice";
import { page } from "../service";
import { during, json, onOneKind, type Row, text, type Unplaced } from "./fault";

const again = /same command/;
const taken = {
  message: { domain: ["has already been taken."], name: ["has already been taken."] },
  status: 422,
};

const conflict = { message: "Conflict", status: 409 };

/** A create that is cut off, rejected, or answered with something untrue. */
export const createFaults: readonly Row[] = during("create", [
  ...onOneKind([
    ...(["reset", "hang-up", "half-headers", "truncate"] as const).map(
      (reply, at): Unplaced => ({
        id: `A${at + 1}`,
        title: `the answer is lost after the commit (${reply})`,
        arrange: ({ strike }) => strike("POST", { commit: "before", reply }),
      }),
    ),
    {
      id: "A5",
      title: "the connection is reset before the commit",
      arrange: ({ strike }) => strike("POST", { commit: "never", reply: "reset" }),
      stored: 0,
      message: again,
    },
    {
      id: "A6",
      title: "no answer in time, never committed",
      settings: { requestTimeout: "0.3" },
      arrange: ({ strike }) => strike("POST", { commit: "never", reply: "stall" }),
      stored: 0,
      message: /no answer within 0\.3 s.*\n.*same command/i,
    },
    {
      id: "A7",
      title: "no answer in time, committed before",
      settings: { requestTimeout: "0.3" },
      arrange: ({ strike }) => strike("POST", { commit: "before", reply: "stall" }),
    },
    {
      id: "A8",
      title: "no answer in time, committed after the provider's check",
      settings: { requestTimeout: "0.3" },
      arrange: ({ strike }) => strike("POST", { commit: "late", reply: "stall" }),
      after: ({ control }) => control.releaseLate(),
      stored: 0,
      message: again,
      remedy: "adopt",
    },
    ...[500, 502, 504].map(
      (status, at): Unplaced => ({
        id: `A${at + 9}`,
        title: `${status} as HTML after the commit`,
        arrange: ({ strike }) => strike("POST", { commit: "before", reply: page(status) }),
      }),
    ),
    ...[408, 425, 522].map(
      (status, at): Unplaced => ({
        id: `A${at + 32}`,
        title: `${status} of a server in front, after the commit`,
        arrange: ({ strike }) => strike("POST", { commit: "before", reply: page(status) }),
      }),
    ),
    {
      id: "A35",
      title: "403 with Retry-After, of a limiter",
      arrange: ({ strike }) => strike("POST", { reply: json(403, {}, { "retry-after": "0.1" }) }),
      posts: 2,
    },
    {
      id: "A12",
      title: "503 with Retry-After, before the commit",
      arrange: ({ strike }) =>
        strike("POST", { commit: "never", reply: json(503, {}, { "retry-after": "0.1" }) }),
      stored: 0,
      message: again,
    },
    {
      id: "A31",
      title: "503 with Retry-After, after the commit",
      arrange: ({ strike }) =>
        strike("POST", { commit: "before", reply: json(503, {}, { "retry-after": "0.1" }) }),
    },
    {
      id: "A13",
      title: "429 three times",
      arrange: ({ strike }) =>
        strike("POST", { reply: json(429, {}, { "retry-after": "0.1" }) }, { times: 3 }),
      posts: 4,
    },
    {
      id: "A14",
      title: "429 without end",
      settings: { maxRetryWait: "1" },
      arrange: ({ strike }) =>
        strike("POST", { reply: json(429, {}, { "retry-after": "0.1" }) }, { times: 0 }),
      stored: 0,
      message: /throttling/,
      posts: 12,
    },
  ]),
  ...[
    [
      "A15",
      422,
      taken,
      "a record of this account has the key, as of another stack that creates at once",
    ] as const,
    ["A26", 409, conflict, "409: a record of this account has the key, and lists did not show it"] as const,
  ].map(
    ([id, status, body, title]): Unplaced => ({
      id,
      title,
      arrange: ({ insert, strike, path }) => {
        insert();
        strike("GET", { reply: json(200, { data: [] }) }, { path, times: 1 });
        strike("POST", { reply: json(status, body) });
      },
      state: "nothing",
      message: new RegExp(`exists already.*"${IMPORT}".*Else see`, "s"),
      remedy: "adopt",
    }),
  ),
  {
    id: "A17",
    title: "another tenant has the domain",
    only: "Website",
    arrange: ({ control, declared }) => control.otherTenant.add(String(declared.args.domain)),
    after: ({ control }) => control.otherTenant.clear(),
    stored: 0,
    message: /other accounts/,
  },
  ...onOneKind([
    {
      id: "A19",
      title: "an id beyond 2^53 in the answer",
      arrange: ({ strike }) =>
        strike("POST", { commit: "before", reply: text(201, '{"data":{"id":9007199254740993}}') }),
    },
    {
      id: "A20",
      title: "the answer is lost and the check fails",
      arrange: ({ strike, path }) => {
        strike("POST", { commit: "before", reply: "reset" });
        strike("GET", { reply: page(500) }, { path, nth: 2, times: 0 });
      },
      state: "nothing",
      message: /unknown whether.*\nRun the same command/s,
      remedy: "adopt",
    },
    {
      id: "A22",
      title: "the answer is lost and lists lag",
      arrange: ({ strike, path }) => {
        strike("POST", { commit: "before", reply: "reset" });
        // Twice the provider finds nothing, neither by a search nor in the list; then it finds the record.
        strike("GET", { reply: json(200, { data: [] }) }, { path, nth: 2, times: 4 });
      },
    },
    {
      id: "A29",
      title: "an id beyond 2^53, in the answer and in the list",
      arrange: ({ strike, path, declared }) => {
        const fields = JSON.stringify({ domain: "shop.example.com", ...declared.args }).slice(1);
        const record = `{"id":9007199254740993,${fields}`;
        strike("POST", { commit: "before", reply: text(201, `{"data":${record}}`) });
        strike("GET", { reply: text(200, `{"data":[${record}]}`) }, { path, nth: 2, times: 0 });
      },
      state: "nothing",
      message: /so Pulumi can't manage it/,
      remedy: "adopt",
    },
  ]),
]);
