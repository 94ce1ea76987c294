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
 * How many requests an operation may send on records that are all there are in the account: one for each write,
 * and one page of the list for every 100 records. What has nothing to do sends nothing.
 *
 * @param {import("./operations.mjs").Operation} operation
 * @param {number} records
 */
export function allowed({ write, reads = false }, records) {
  const pages = write === undefined && !reads ? 0 : Math.max(1, Math.ceil(records / PER_PAGE));
  return { write, writes: write === undefined ? 0 : records, reads: pages };
}

/**
 * What an operation sent beyond that, or did not send: a sentence for each; none where it kept to it.
 *
 * @param {import("./operations.mjs").Operation} operation
 * @param {number} records
 * @param {Requests} requests
 */
export function beyond(operation, records, requests) {
  const { write, writes, reads } = allowed(operation, records);
  const found = [];
  const read = requests.list + requests.look;
  if (read > reads) found.push(`${operation.name} of ${records} read ${read} times, not ${reads}`);
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
