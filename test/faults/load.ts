import { all, onOneKind } from "./fault";

/** A service that is slow, or that closes connections. */
export const loadFaults = onOneKind([
  {
    id: "E1",
    title: "the answer comes byte by byte, within the time-out",
    verb: "create",
    arrange: ({ strike }) => strike("POST", { reply: "trickle", delay: 1 }),
  },
  {
    id: "E2",
    title: "the answer comes byte by byte, beyond the time-out",
    verb: "create",
    settings: { requestTimeout: "0.3" },
    arrange: ({ strike }) => strike("POST", { reply: "trickle", delay: 100 }),
  },
  {
    id: "E3",
    title: "connections that should stay open are closed after every answer",
    verb: "refresh",
    arrange: (scene) => all(scene, { reply: "close" }),
  },
]);
