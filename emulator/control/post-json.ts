import { type Agent, request } from "node:http";

/** Posts JSON and resolves with the parsed answer. Rejects unless the status is 200, or after the timeout in ms. */
export function postJson<T>(agent: Agent, address: string, input: unknown, timeout: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify(input);
    const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
    const outgoing = request(address, { method: "POST", headers, agent, timeout }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const content = Buffer.concat(chunks).toString("utf8");
        if (answer.statusCode === 200) resolve((content === "" ? undefined : JSON.parse(content)) as T);
        else reject(new Error(`The emulator at ${address} refused: ${content}`));
      });
    });
    outgoing.on("timeout", () => outgoing.destroy(new Error(`The emulator at ${address} does not answer`)));
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
