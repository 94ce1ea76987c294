import { createServer } from "node:https";
import { listening } from "../listening";
import { certificate } from "../provider/api/certificate";
import { onOneKind, type Scene } from "./fault";

/** Changes the service's address in the settings, and restores it. */
function move({ stack }: Scene, url: string): void {
  stack.settings.analyticsBaseUrl = url;
  stack.settings.dataBaseUrl = url;
}
const back = (scene: Scene): void => move(scene, scene.control.url);

async function untrusted(): Promise<string> {
  const server = createServer(certificate, (_, response) => void response.end());
  return `https://localhost:${await listening(server)}`;
}

type Nowhere = readonly [id: string, title: string, url: () => Promise<string>, message: RegExp];
const nowhere: readonly Nowhere[] = [
  [
    "A23",
    "nothing listens at the address",
    async () => "http://127.0.0.1:1",
    / http:\/\/127\.0\.0\.1:1: nothing answers there \(connection refused\)/,
  ],
  ["A24", "there is no such host", async () => "https://service.invalid", /host|reached/],
  ["A25", "the certificate is not trusted", untrusted, /certificate/],
];

/** A base URL without a service. */
export const reachFaults = onOneKind(
  nowhere.map(([id, title, url, message]) => ({
    id,
    title,
    verb: "create",
    arrange: async (scene) => move(scene, await url()),
    after: back,
    stored: 0,
    message,
  })),
);
