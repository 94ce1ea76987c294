import { page } from "../service";
import { json, onOneKind, type Row } from "./fault";
import { stored } from "./scene";

/** An update or a delete that is cut off, rejected, or answered with something untrue. */
export const changeFaults: readonly Row[] = [
  ...onOneKind(
    (["reset", "truncate", "half-headers"] as const).map((reply, at) => ({
      id: `D${at + 1}`,
      title: `the answer to an update is lost after the commit (${reply})`,
      verb: "update",
      arrange: ({ strike }) => strike("PUT", { commit: "before", reply }),
    })),
  ),
  ...onOneKind(
    (["PUT", "DELETE"] as const).map((method, at) => ({
      id: `D${at + 15}`,
      title: `522 of a server in front to a ${method}, after the commit`,
      verb: method === "PUT" ? "update" : "destroy",
      arrange: ({ strike }) => strike(method, { commit: "before", reply: page(522) }),
      ...(method === "DELETE" && { stored: 0 }),
    })),
  ),
  {
    id: "D4",
    title: "the record is gone when it is updated",
    verb: "update",
    arrange: ({ control }) => control.seed({ websites: [], pixels: [] }),
    after: ({ stack }) => stack.refresh(),
    stored: 0,
    state: "kept",
    message: /\(id \d+\).* gone/,
  },
  ...onOneKind([
    {
      id: "D5",
      title: "an update is rejected, with the names of fields",
      verb: "update",
      arrange: ({ strike }) =>
        strike("PUT", {
          reply: json(422, { message: { exclude_bots: ["is wrong"], value: ["is wrong"] }, status: 422 }),
        }),
      message: /\(.*(excludeBots|value).*\).*is wrong/,
    },
    {
      id: "D6",
      title: "200 to an update that changed nothing, with the old record",
      verb: "update",
      arrange: (scene) => {
        const [record] = stored(scene);
        scene.strike("PUT", { commit: "never", reply: json(200, { data: record ?? {}, status: 200 }) });
      },
      message: /did not store/,
    },
  ]),
  {
    id: "D13",
    title: "200 to an update that changed nothing, with the values that were sent",
    verb: "update",
    arrange: ({ strike }) => strike("PUT", { commit: "never", reply: "ok" }),
    // No message can show it; the next refresh does.
    after: ({ stack }) => stack.refresh(),
  },
  ...onOneKind(
    (["reset", "truncate"] as const).map((reply, at) => ({
      id: `D${at + 7}`,
      title: `the answer to a delete is lost after the commit (${reply})`,
      verb: "destroy",
      arrange: ({ strike }) => strike("DELETE", { commit: "before", reply }),
      stored: 0,
    })),
  ),
  ...onOneKind(
    [404, 410].map(
      (status, at): Row => ({
        id: `D${at + 9}`,
        title: `${status} to a delete of a record that was just there`,
        verb: "destroy",
        arrange: ({ strike }) =>
          strike("DELETE", {
            commit: "before",
            reply: json(status, { message: "Resource not found.", status }),
          }),
        stored: 0,
      }),
    ),
  ),
  ...onOneKind([
    {
      id: "D11",
      title: "the service says that it did not delete",
      verb: "destroy",
      arrange: ({ strike }) =>
        strike("DELETE", { commit: "never", reply: json(200, { deleted: false, status: 200 }) }),
      message: /answers 200 to the delete, but still shows the record/,
    },
    {
      id: "D12",
      title: "a delete fails with 500 without end",
      verb: "destroy",
      arrange: ({ strike }) => strike("DELETE", { commit: "never", reply: page(500) }, { times: 0 }),
      message: /\(500/,
    },
  ]),
];
