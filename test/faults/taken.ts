import { json, type Row } from "./fault";

const RAW = { "content-type": "application/json" };

/** A key that this account already has, and ids of every type. */
export const takenFaults: readonly Row[] = [
  {
    id: "A26",
    title: "409: a record of this account has the key, and lists did not show it",
    verb: "create",
    arrange: async ({ insert, strike, path }) => {
      await insert();
      await strike("GET", { reply: json(200, { data: [] }) }, { path, times: 1 });
      await strike("POST", { reply: json(409, { message: "Conflict", status: 409 }) });
    },
    state: "nothing",
    message: /exists already.*adopt.*import --declared/,
    remedy: "adopt",
  },
  ...(["strings", "reference"] as const).map(
    (dialect, at): Row => ({
      id: `A${at + 27}`,
      title: `the id comes as a ${dialect === "strings" ? "string" : "number"}`,
      verb: "create",
      arrange: ({ control }) => control.configure({ dialect }),
    }),
  ),
  {
    id: "A29",
    title: "an id beyond 2^53, in the answer and in the list",
    verb: "create",
    arrange: async ({ strike, path, declared }) => {
      const fields = JSON.stringify({ domain: "shop.example.com", ...declared.args }).slice(1);
      const record = `{"id":9007199254740993,${fields}`;
      await strike("POST", {
        commit: "before",
        reply: { status: 201, headers: RAW, body: `{"data":${record}}` },
      });
      const list = { status: 200, headers: RAW, body: `{"data":[${record}]}` };
      await strike("GET", { reply: list }, { path, nth: 2, times: 0 });
    },
    state: "nothing",
    message: /can't be held exactly, so it is not in state/,
    remedy: "adopt",
  },
];
