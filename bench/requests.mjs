/**
 * Requests by kind: `list` reads a page of a list, `look` reads one record, the others are methods that write.
 *
 * @typedef {Record<"list" | "look" | "POST" | "PUT" | "DELETE", number>} Requests
 */

const PER_PAGE = 100;
/** How old a list may become before it is read again, in milliseconds. */
const LIST_LIFETIME = 120_000;

/**
 * Counts by kind, from the emulator's counters.
 *
 * @param {Record<string, { received: number }>} routes by method and path, ids as `{id}`
 * @returns {Requests}
 */
export function requestsOf(routes) {
  const requests = { list: 0, look: 0, POST: 0, PUT: 0, DELETE: 0 };
  for (const [route, { received }] of Object.entries(routes)) {
    const [method] = route.split(" ");
    if (method === "GET") requests[route.endsWith("/{id}") ? "look" : "list"] += received;
    else if (method === "POST" || method === "DELETE") requests[method] += received;
    else requests.PUT += received;
  }
  return requests;
}

/** @param {Requests} requests */
export function total(requests) {
  return Object.values(requests).reduce((sum, each) => sum + each, 0);
}

/**
 * How many requests an operation may send: one for each write, and one page of the list for every 100 records there
 * are, or one read of each record in the stack and two more if that is less. A list is read again when it is two minutes
 * old. An operation without changes sends nothing.
 *
 * @param {import("./operations.mjs").Operation} operation
 * @param {number} records in the stack
 * @param {number} [account] how many records there are; by default those of the stack
 * @param {number} [ms] how long it took; by default less than a list is used
 */
export function allowed({ write, reads = false }, records, account = records, ms = 0) {
  const pages = Math.max(1, Math.ceil(account / PER_PAGE));
  const isReading = write !== undefined || reads;
  // It must first see whether reading pages pays.
  return {
    write,
    writes: write === undefined ? 0 : records,
    reads: isReading ? Math.min(pages * (1 + Math.floor(ms / LIST_LIFETIME)), records + 2) : 0,
  };
}

/**
 * How an operation's requests differ from that: a sentence for each violation.
 *
 * @param {import("./operations.mjs").Operation} operation
 * @param {number} records in the stack
 * @param {Requests} requests
 * @param {{ account?: number, spare?: number, ms?: number }} [grant] how many records there are, by default those of the
 *   stack; extra reads that it may make, by default none; how long it took
 */
export function requestViolations(operation, records, requests, { account, spare = 0, ms } = {}) {
  const { write, writes, reads } = allowed(operation, records, account, ms);
  const found = [];
  const read = requests.list + requests.look;
  if (read > reads + (reads > 0 ? spare : 0))
    found.push(`${operation.name} of ${records} read ${read} times, not ${reads}`);
  for (const method of /** @type {const} */ (["POST", "PUT", "DELETE"])) {
    const wanted = method === write ? writes : 0;
    if (requests[method] !== wanted)
      found.push(`${operation.name} of ${records} sent ${requests[method]} ${method}, not ${wanted}`);
  }
  return found;
}

/**
 * The requests as a short text.
 *
 * @param {Requests} requests
 */
export function inShort(requests) {
  const parts = Object.entries(requests).filter(([, count]) => count > 0);
  return parts.length === 0 ? "0" : parts.map(([name, count]) => `${count} ${name}`).join(" + ");
}
