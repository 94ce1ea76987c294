import { createServer } from "node:http";
import { expect, onTestFinished } from "vitest";
import { listening } from "../listening";
import { all, json, onOneKind, redirect, text } from "./fault";
import { stored } from "./scene";

const KEY = "canary/key+0123456789=&";
const echoes = [KEY, Buffer.from(KEY).toString("base64"), encodeURIComponent(KEY), KEY.slice(0, 12)].join(
  " ",
);
const hidden = /^(?!.*(canary|Y2FuYXJ5))./;

/** A hostile service, or one that someone impersonates. */
export const hostileFaults = onOneKind([
  {
    id: "F1",
    title: "a redirect to another host",
    verb: "refresh",
    arrange: (scene) => all(scene, { reply: redirect(307, "http://127.0.0.1:9/") }),
    message: /redirects \(307 to http:\/\/127\.0\.0\.1:9\/\).*not followed/,
  },
  {
    id: "F2",
    title: "a body that grows without end when unpacked",
    verb: "refresh",
    arrange: (scene) => all(scene, { reply: "gzip-bomb" }),
    message: /5 MiB/,
  },
  {
    id: "F3",
    title: "a body that never ends",
    verb: "refresh",
    arrange: (scene) => all(scene, { reply: "endless" }),
    message: /5 MiB/,
  },
  {
    id: "F4",
    title: "control characters and engine directives in an error",
    verb: "refresh",
    arrange: (scene) =>
      all(scene, { reply: json(422, { message: "\u001b[31m\u0007<{%reset%}>\r\u202e", status: 422 }) }),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is that they are absent
    message: /^[^\u0000-\u001f\u202e]*$/,
  },
  {
    id: "F5",
    title: "the key is echoed in an error",
    verb: "refresh",
    arrange: (scene) => all(scene, { reply: json(422, { message: "Bearer local-key", status: 422 }) }),
    message: /^(?!.*local-key).*not shown/,
  },
  {
    id: "F6",
    title: "an own __proto__ property in a record",
    verb: "create",
    arrange: ({ strike }) =>
      strike("POST", {
        commit: "before",
        reply: text(201, '{"data":{"__proto__":{"id":666}},"status":200}'),
      }),
  },
  {
    id: "F7",
    title: "a redirect to another port, which gets no request",
    verb: "refresh",
    arrange: async (scene) => {
      let asked = 0;
      const other = createServer((_, response) => void response.end(String(++asked)));
      onTestFinished(() => expect(asked).toBe(0));
      all(scene, { reply: redirect(307, `http://127.0.0.1:${await listening(other)}/`) });
    },
    message: /not followed/,
  },
  {
    id: "F8",
    title: "a redirect to itself",
    verb: "refresh",
    arrange: (scene) => all(scene, { reply: redirect(308, "?") }),
    after: ({ control }) => expect(control.requests().length).toBeLessThanOrEqual(2),
    message: /not followed/,
  },
  {
    id: "F9",
    title: "the key is echoed in every encoding, in an error and its headers",
    verb: "create",
    settings: { apiKey: KEY },
    arrange: ({ control, strike }) => {
      control.keys.add(KEY);
      strike("POST", { reply: json(422, { message: echoes }, { "x-echo": encodeURIComponent(KEY) }) });
    },
    stored: 0,
    message: /^(?!.*(canary|Y2FuYXJ5)).*not shown/,
  },
  {
    id: "F10",
    title: "the key is echoed in the target of a redirect",
    verb: "create",
    settings: { apiKey: KEY },
    arrange: ({ control, strike }) => {
      control.keys.add(KEY);
      const location = `/login?key=${encodeURIComponent(KEY)}&raw=${KEY}`;
      strike("POST", { reply: redirect(302, location) });
    },
    stored: 0,
    message: hidden,
  },
  {
    id: "F11",
    title: "form delimiters, an emoji and words in a name",
    verb: "create",
    only: "Pixel",
    args: { name: "a&name=b%20+c \u{1f600}" },
    arrange: () => undefined,
    after: ({ control }) => expect(control.pixels()).toMatchObject([{ name: "a&name=b%20+c \u{1f600}" }]),
  },
  {
    id: "F12",
    title: "form delimiters and an emoji in a password",
    verb: "create",
    only: "Website",
    args: { privacy: "password", password: "a&privacy=0%20+\u{1f600}" },
    arrange: () => undefined,
    after: ({ control }) =>
      expect(control.websites()).toMatchObject([{ privacy: 2, password: "a&privacy=0%20+\u{1f600}" }]),
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
  {
    id: "F17",
    title: "a redirect to plain http",
    verb: "update",
    arrange: ({ strike }) => strike("PUT", { reply: redirect(308, "http://example.com/") }),
    message: /the base URL is not exactly its address; redirects are not followed/,
  },
  {
    id: "F18",
    title: "a line break in a password",
    verb: "create",
    only: "Website",
    args: { privacy: "password", password: "one\r\ntwo\nthree" },
    arrange: () => undefined,
    after: ({ control }) =>
      expect(control.websites()).toMatchObject([{ privacy: 2, password: "one\r\ntwo\nthree" }]),
  },
]);
