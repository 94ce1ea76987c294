import { once } from "node:events";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";

// Answers without end, in a process of its own, so that what an answer costs its reader can be measured: `/gzip` a
// mebibyte for every kilobyte sent, `/plain` as it is; and `/small` with few. Prints its port.
const MEBIBYTE = Buffer.alloc(2 ** 20, "x");

/** @param {import("node:http").ServerResponse} response */
async function drained(response) {
  const either = new AbortController();
  const wait = (/** @type {string} */ event) => once(response, event, either).catch(() => {});
  await Promise.race([wait("drain"), wait("close")]);
  either.abort();
  return true;
}

const server = createServer(async ({ url }, response) => {
  if (url === "/small") return response.end("{}");
  const isGzip = url === "/gzip";
  response.writeHead(200, {
    "content-type": "application/json",
    ...(isGzip ? { "content-encoding": "gzip" } : {}),
  });
  const piece = isGzip ? gzipSync(MEBIBYTE) : MEBIBYTE;
  while (!response.destroyed && (response.write(piece) || (await drained(response))));
});
server.listen(0, "127.0.0.1", () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  console.log(port);
});
process.stdin.on("end", () => process.exit()).resume();
