import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { parseArgs } from "node:util";
import { runIfMain } from "../tools/run-if-main.mjs";

// node bench/limiters.mjs [--count 60] [--only nginx]: creates websites behind real limiters, of npm and, if they are installed,
// nginx and HAProxy, again until all are there, and prints a table. Each is fetched on first use.

const MAX_UPS = 60;

await runIfMain(import.meta.url, async () => {
  const { LIMITERS, slowly } = await import("./real-limiters.mjs");
  const { loadSource } = await import("../tools/source.mjs");
  const options = /** @type {const} */ ({
    count: { type: "string", default: "60" },
    only: { type: "string", default: "" },
  });
  const { values } = parseArgs({ options });
  const count = Number(values.count);
  /** @type {typeof import("../test/service/server.js")} */
  const { startEmulator } = await loadSource("test/service/server.ts");
  console.log("| limiter | `up`s | failed | refused | requests | seconds | least |");
  console.log("| --- | --- | --- | --- | --- | --- |");
  for (const [name, start, leastOf] of LIMITERS.filter(([each]) => each.includes(values.only))) {
    const emulator = await startEmulator();
    const slow = await slowly(emulator.url);
    const limiter = await start(slow.url);
    const { counts, end } = countAnswers(limiter.url);
    let left = Array.from({ length: count }, (_, at) => `site-${at}.example.com`);
    let ups = 0;
    let failures = 0;
    const began = performance.now();
    for (; left.length > 0 && ups < MAX_UPS; ups += 1) {
      // Each run is a process that knows nothing of the one before.
      /** @type {typeof import("./one-up.js")} */
      const { up } = await loadSource("bench/one-up.ts");
      const { made, failed } = await up(limiter.url, left);
      left = left.filter((domain) => !made.includes(domain));
      failures += failed.length;
      process.stderr.write(failed.length > 0 ? `  ${failed[0]}\n` : "");
    }
    const took = performance.now() - began;
    end();
    const records = emulator.control.websites().length;
    const posts = emulator.control.requests().filter(({ method }) => method === "POST").length;
    for (const each of [limiter, slow, emulator]) await each.close();
    if (records !== count || posts !== count) console.log(`${name}: ${records} records by ${posts} POSTs`);
    // A look for all, and a POST for each.
    const seconds = [took, leastOf(count + 1)].map((each) => (each / 1000).toFixed(1));
    const figures = [ups, failures, counts.refused, counts.all, ...seconds];
    console.log(`| ${[name, ...figures].join(" | ")} |`);
  }
});

/**
 * Counts the answers to this process's requests to a server.
 *
 * @param {string} url
 */
function countAnswers(url) {
  const { host } = new URL(url);
  const counts = { all: 0, refused: 0 };
  /** @param {unknown} message */
  const count = (message) => {
    const { request, response } =
      /** @type {{ request: import("node:http").ClientRequest, response: import("node:http").IncomingMessage }} */ (
        message
      );
    if (request.getHeader("host") !== host) return;
    counts.all += 1;
    if ([429, 503].includes(response.statusCode ?? 0)) counts.refused += 1;
  };
  subscribe("http.client.response.finish", count);
  return { counts, end: () => unsubscribe("http.client.response.finish", count) };
}
