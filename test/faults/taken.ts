import { json, type Row } from "./fault";

/** A key that this account itself holds, and ids in either shape. */
export const takenFaults: readonly Row[] = [
  {
    id: "A26",
    title: "409, where a record of this account has the key, which lists hid before",
    verb: "create",
    arrange: async ({ insert, strike, path }) => {
      await insert();
      await strike("GET", { reply: json(200, { data: [] }) }, { path, times: 1 });
      await strike("POST", { reply: json(409, { message: "Conflict", status: 409 }) });
    },
    state: "nothing",
    message: /exists already.*import --declared.*adopt/,
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
];
