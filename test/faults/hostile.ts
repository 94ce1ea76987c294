import { expect } from "vitest";
import { all, onOneKind, type Row, redirect, text } from "./fault";
import { stored } from "./scene";

/** A hostile service, or one that someone impersonates. */
export const hostileFaults = onOneKind([
  ...(
    [
      ["F1", "another host", "https://127.0.0.1:9/"],
      ["F8", "itself", "?"],
      ["F17", "plain http", "http://example.com/"],
    ] as const
  ).map(
    ([id, target, location]): Row => ({
      id,
      title: `a redirect to ${target}`,
      verb: "update",
      arrange: ({ strike }) => strike("PUT", { reply: redirect(308, location) }),
      message: /redirects \(308 to .*redirects are not followed/,
    }),
  ),
  ...(
    [
      ["F2", "grows without end when unpacked", "gzip-bomb"],
      ["F3", "never ends", "endless"],
    ] as const
  ).map(
    ([id, does, reply]): Row => ({
      id,
      title: `a body that ${does}`,
      verb: "refresh",
      arrange: (scene) => all(scene, { reply }),
      message: /5 MiB/,
    }),
  ),
  {
    id: "F12",
    title: "form delimiters, an emoji and line breaks in a password",
    verb: "create",
    only: "Website",
    args: { privacy: "password", password: "a&privacy=0%20+\u{1f600}\r\ntwo\nthree" },
    arrange: () => undefined,
    after: ({ control }) =>
      expect(control.websites()).toMatchObject([
        { privacy: 2, password: "a&privacy=0%20+\u{1f600}\r\ntwo\nthree" },
      ]),
  },
  {
    id: "F16",
    title: "own __proto__ and constructor properties in a record that is read",
    verb: "refresh",
    arrange: (scene) => {
      const record = JSON.stringify(stored(scene)[0]).slice(1);
      const body = `{"data":{"__proto__":{"privacy":0,"value":"Z"},"constructor":{"id":666},${record},"__proto__":{"id":666}}`;
      all(scene, { reply: text(200, body) });
    },
    after: async ({ stack, declared }) => {
      expect((await stack.preview([declared])).steps).toEqual([]);
      expect(Object.hasOwn(Object.prototype, "privacy")).toBe(false);
    },
  },
]);
