import { createServer } from "node:http";
import { PassThrough, pipeline } from "node:stream";
import { createGzip } from "node:zlib";

// Answers without end, in a process of its own, so that what an answer costs its reader can be measured: `/gzip` a
// mebibyte for every kilobyte sent, `/plain` as it is; and `/small` with few. Prints its port.
function* endless() {
  for (const mebibyte = Buffer.alloc(2 ** 20, "x"); ; ) yield mebibyte;
}

const server = createServer(({ url }, response) => {
  if (url === "/small") return response.end("{}");
  const isGzip = url === "/gzip";
  response.writeHead(200, isGzip ? { "content-encoding": "gzip" } : {});
  pipeline(endless, isGzip ? createGzip() : new PassThrough(), response, () => {});
});
server.listen(0, "127.0.0.1", () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  console.log(port);
});
process.stdin.on("end", () => process.exit()).resume();
