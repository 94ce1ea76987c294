import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** What a project has to know to keep its stack's key with the service at this address. */
export function keyServiceAt(url: string) {
  return {
    provider: "hashivault://stacks",
    env: { VAULT_SERVER_URL: url, VAULT_SERVER_TOKEN: "of-the-tests" },
  };
}

/** The default of the engine. */
export const PASSPHRASE = { provider: "passphrase" };

/**
 * The two calls of a Vault server that the engine needs to keep the key of a stack's secrets. To make a key from a
 * passphrase, as it does by default, takes most of the computing of a small command, by intention.
 */
export async function startKeyService(): Promise<{ url: string; close: () => void }> {
  const kept: string[] = [];
  const server = createServer(async (request, response) => {
    const { plaintext, ciphertext } = (await json(request)) as { plaintext?: string; ciphertext?: string };
    const data =
      plaintext === undefined
        ? { plaintext: kept[Number(ciphertext)] }
        : { ciphertext: String(kept.push(plaintext) - 1) };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}
