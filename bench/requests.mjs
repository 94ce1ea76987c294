/**
 * Requests by what they are: `list` reads a page of a list, `look` one record, the others are methods that write.
 *
 * @typedef {Record<"list" | "look" | "POST" | "PUT" | "DELETE", number>} Requests
 */

const PER_PAGE = 100;

/**
 * Sorts what the emulator has counted.
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
 * are, or one look at each of the stack's where that is less. What has nothing to do sends nothing.
 *
 * @param {import("./operations.mjs").Operation} operation
 * @param {number} records in the stack
 * @param {number} [account] how many records there are; by default those of the stack
 */
export function allowed({ write, reads = false }, records, account = records) {
  const pages = Math.max(1, Math.ceil(account / PER_PAGE));
  if (write !== undefined) return { write, writes: records, reads: Math.min(pages, records) };
  // A refresh has to see first whether pages pay.
  return { write, writes: 0, reads: reads ? Math.min(pages, records + 2) : 0 };
}

/**
 * What an operation sent beyond that, or did not send: a sentence for each; none where it kept to it.
 *
 * @param {import("./operations.mjs").Operation} operation
 * @param {number} records in the stack
 * @param {Requests} requests
 * @param {{ account?: number, spare?: number }} [grant] how many records there are, by default those of the stack; extra

 *   reads that it may make, by default none
 */
export function requestViolations(operation, records, requests, { account, spare = 0 } = {}) {
  const { write, writes, reads } = allowed(operation, records, account);
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
 * In few characters: what was written, and read.
 *
 * @param {Requests} requests
 */
export function inShort(requests) {
  const parts = Object.entries(requests).filter(([, count]) => count > 0);
  return parts.length === 0 ? "0" : parts.map(([name, count]) => `${count} ${name}`).join(" + ");
}
