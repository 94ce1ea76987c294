import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Emulator, EmulatorOptions } from "../../../emulator";
import { service } from "../harness";

/** One address that opens a different account with each key, as a real service does. */
export async function accounts<K extends string>(
  seeds: Readonly<Record<K, EmulatorOptions["seed"]>>,
): Promise<{ url: string; of: Readonly<Record<K, Emulator["control"]>> }> {
  const urls = new Map<string, string>();
  const of: Record<string, Emulator["control"]> = {};
  for (const [key, seed] of Object.entries(seeds) as [K, EmulatorOptions["seed"]][]) {
    const { url, control } = await service({ apiKey: key, ...(seed && { seed }) });
    urls.set(`Bearer ${key}`, url);
    of[key] = control;
  }
  const server = createServer((incoming, outgoing) => {
    const url = urls.get(incoming.headers.authorization ?? "");
    if (url === undefined) {
      incoming.resume();
      outgoing.writeHead(401, { "content-type": "application/json" }).end('{"message":"Unauthenticated."}');
      return;
    }
    const { method, headers } = incoming;
    const onward = request(new URL(incoming.url ?? "/", url), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, of: of as Record<K, Emulator["control"]> };
}
