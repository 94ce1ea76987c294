import { json, type Row, type Scene } from "./fault";

const everything = { times: 0 };
const all = (scene: Scene, fault: Parameters<Scene["strike"]>[1]) =>
  scene.strike("GET", fault, { path: "/api/v1/*", ...everything });

/** A refresh against a service that is gone, wrong, locked or confused: only proof drops a record from state. */
export const readFaults: readonly Row[] = [
  {
    id: "C1",
    title: "the record is gone",
    verb: "refresh",
    arrange: ({ control }) => control.seed({ websites: [], pixels: [] }),
    stored: 0,
    state: "nothing",
  },
  {
    id: "C2",
    title: "404 as HTML",
    verb: "refresh",
    arrange: (scene) => all(scene, { reply: "html", status: 404 }),
    message: /base URL/,
  },
  {
    id: "C3",
    title: "404 as JSON on every path, as under a wrong base path",
    verb: "refresh",
    arrange: (scene) => all(scene, { reply: json(404, { message: "Resource not found.", status: 404 }) }),
    message: /base URL/,
  },
  ...[401, 403].map(
    (status, at): Row => ({
      id: `C${at + 4}`,
      title: `${status} in the middle of a refresh`,
      verb: "refresh",
      arrange: (scene) => all(scene, { reply: json(status, { message: "No.", status }) }),
      message: status === 401 ? /rejects the API key/ : /forbids/,
    }),
  ),
  {
    id: "C6",
    title: "500 for ever",
    verb: "refresh",
    arrange: (scene) => all(scene, { reply: "html", status: 500 }),
    message: /failed \(500/,
  },
  {
    id: "C7",
    title: "an HTML log-in page with 200",
    verb: "refresh",
    arrange: (scene) => all(scene, { reply: "html", status: 200 }),
    message: /where JSON is due/,
  },
  {
    id: "C8",
    title: "a redirect to a log-in page",
    verb: "refresh",
    arrange: (scene) => all(scene, { reply: { status: 302, headers: { location: "/login" }, body: "" } }),
    message: /redirects/,
  },
];

/** A service that means harm, or that somebody pretends to be. */
export const hostileFaults: readonly Row[] = [
  {
    id: "F1",
    title: "a redirect to another host",
    verb: "refresh",
    arrange: (scene) =>
      all(scene, { reply: { status: 307, headers: { location: "http://127.0.0.1:9/" }, body: "" } }),
    message: /not followed/,
  },
  {
    id: "F2",
    title: "a body that grows without end when unpacked",
    verb: "refresh",
    arrange: (scene) => all(scene, { reply: "gzip-bomb" }),
    message: /larger than 5 MiB/,
  },
  {
    id: "F3",
    title: "a body that never ends",
    verb: "refresh",
    arrange: (scene) => all(scene, { reply: "endless" }),
    message: /larger than 5 MiB/,
  },
  {
    id: "F4",
    title: "control characters and engine directives in an error",
    verb: "refresh",
    arrange: (scene) =>
      all(scene, { reply: json(422, { message: "\u001b[31m\u0007<{%reset%}>\r\u202e", status: 422 }) }),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is what is meant
    message: /^[^\u0000-\u001f\u202e]*$/,
  },
  {
    id: "F5",
    title: "the key is echoed in an error",
    verb: "refresh",
    arrange: (scene) => all(scene, { reply: json(422, { message: "Bearer local-key", status: 422 }) }),
    message: /^(?!.*local-key).*\(secret\)/,
  },
  {
    id: "F6",
    title: "own __proto__ in a record",
    verb: "create",
    arrange: ({ strike }) =>
      strike("POST", {
        commit: "before",
        reply: {
          status: 201,
          headers: { "content-type": "application/json" },
          body: '{"data":{"__proto__":{"id":666}},"status":200}',
        },
      }),
  },
];
