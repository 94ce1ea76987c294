import { during, type Row, text, type Unplaced } from "./fault";

/** Ids of every type. */
export const idFaults: readonly Row[] = during("create", [
  ...(["strings", "reference"] as const).map(
    (dialect, at): Unplaced => ({
      id: `A${at + 27}`,
      title: `the id comes as a ${dialect === "strings" ? "string" : "number"}`,
      arrange: ({ control }) => control.configure({ dialect }),
    }),
  ),
  {
    id: "A29",
    title: "an id beyond 2^53, in the answer and in the list",
    arrange: async ({ strike, path, declared }) => {
      const fields = JSON.stringify({ domain: "shop.example.com", ...declared.args }).slice(1);
      const record = `{"id":9007199254740993,${fields}`;
      await strike("POST", { commit: "before", reply: text(201, `{"data":${record}}`) });
      await strike("GET", { reply: text(200, `{"data":[${record}]}`) }, { path, nth: 2, times: 0 });
    },
    state: "nothing",
    message: /can't be held exactly, so Pulumi can't manage it/,
    remedy: "adopt",
  },
]);
