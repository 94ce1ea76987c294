import { page } from "../service";
import { all, during, json, onOneKind, type Row, redirect, type Unplaced } from "./fault";

/** A refresh with a missing, wrong, locked or confused service: only proof drops a record from state. */
export const readFaults: readonly Row[] = during("refresh", [
  {
    id: "C1",
    title: "the record is gone",
    arrange: ({ control }) => control.seed({ websites: [], pixels: [] }),
    stored: 0,
  },
  ...onOneKind([
    {
      id: "C2",
      title: "404 as HTML",
      arrange: (scene) => all(scene, { reply: page(404) }),
      message: /base URL/,
    },
    {
      id: "C3",
      title: "404 as JSON on every path, as under a wrong base path",
      arrange: (scene) => all(scene, { reply: json(404, { message: "Resource not found.", status: 404 }) }),
      message: /base URL/,
    },
    ...[401, 403, 500].map(
      (status, at): Unplaced => ({
        id: `C${at + 4}`,
        title: `${status} in the middle of a refresh, without end`,
        arrange: (scene) => all(scene, { reply: json(status, { message: "No.", status }) }),
        message: new RegExp(`\\(${status}`),
      }),
    ),
    {
      id: "C7",
      title: "an HTML log-in page with 200",
      arrange: (scene) => all(scene, { reply: page() }),
      message: /answered with a page instead of JSON \(200: text\/html/,
    },
    {
      id: "C8",
      title: "a redirect to a log-in page",
      arrange: (scene) => all(scene, { reply: redirect(302, "/login") }),
      message: /redirects .* the key or the base URL is probably wrong/,
    },
  ]),
]);
