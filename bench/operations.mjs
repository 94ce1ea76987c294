/**
 * @typedef {object} Operation
 * @property {string} name
 * @property {string} title as the page calls it
 * @property {readonly string[]} args of `pulumi`
 * @property {0 | 1} email whether the program asks for e-mail reports: the one field that changes
 * @property {"POST" | "PUT" | "DELETE"} [write] what it sends once for each record
 * @property {boolean} [reads] whether it has to read the records; set for one that sends nothing else
 * @property {"paced" | "far"} [slow] whether the service allows 60 requests a minute, as real ones do, and ours alone takes
 *   part; or is 100 ms away
 *
 * @typedef {Record<"list" | "look" | "POST" | "PUT" | "DELETE", number>} Requests by kind: `list` reads a page of a
 *   list, `look` one record
 */

const UP = ["up", "--yes", "--skip-preview"];
const REFRESH = ["refresh", "--yes", "--skip-preview"];
const DESTROY = ["destroy", "--yes", "--skip-preview"];

/** What is measured, in the order in which a stack goes through it. @type {readonly Operation[]} */
export const OPERATIONS = [
  { name: "up", title: "`up`, everything new", args: UP, email: 0, write: "POST" },
  { name: "up again", title: "`up`, nothing to do", args: UP, email: 0 },
  { name: "preview", title: "`preview`, nothing to do", args: ["preview"], email: 0 },
  { name: "refresh", title: "`refresh`", args: REFRESH, email: 0, reads: true },
  { name: "paced", title: "`refresh`, 60 requests/min", args: REFRESH, email: 0, reads: true, slow: "paced" },
  { name: "far", title: "`refresh`, 100 ms away", args: REFRESH, email: 0, reads: true, slow: "far" },
  { name: "change", title: "`up`, one field of each changed", args: UP, email: 1, write: "PUT" },
  { name: "destroy", title: "`destroy`", args: DESTROY, email: 1, write: "DELETE" },
];

/**
 * The requests of an operation that are too many or missing: a sentence for each kind.
 *
 * @param {Operation} operation
 * @param {{ records: number, account?: number, ms?: number }} world the records of the stack; those of the account, by
 *   default the same; how long it took
 * @param {Requests} requests
 */
export function violations({ name, write, reads }, { records, account = records, ms = 0 }, requests) {
  // Each page of the list, again whenever it is two minutes old, or too old for a delete; or two reads for each record, if
  // those are fewer.
  const age = write === "DELETE" ? 10_000 : 120_000;
  const pages = (Math.ceil(account / 100) + 1) * (1 + Math.floor(ms / age));
  // The engine changes and deletes one by one: some records are read singly before the list is worth its pages.
  const maxPages = write === "PUT" || write === "DELETE" ? 2 * pages : pages;
  const maxReads = write === undefined && reads !== true ? 0 : Math.min(maxPages, 2 * records + 2);
  const read = requests.list + requests.look;
  const writes = /** @type {const} */ (["POST", "PUT", "DELETE"])
    .map((method) => ({ method, expected: method === write ? records : 0 }))
    .filter(({ method, expected }) => requests[method] !== expected)
    .map(({ method, expected }) => `sent ${requests[method]} ${method}, not ${expected}`);
  const faults = read > maxReads ? [`read ${read} times, not ${maxReads}`, ...writes] : writes;
  return faults.map((fault) => `${name} of ${records} ${fault}`);
}

/**
 * Counts requests by kind.
 *
 * @param {readonly { method: string, path: string }[]} sent the emulator's log
 * @returns {Requests}
 */
export function requestsOf(sent) {
  const requests = { list: 0, look: 0, POST: 0, PUT: 0, DELETE: 0 };
  for (const { method, path } of sent) {
    if (method === "GET") requests[/\/\d+$/.test(path) ? "look" : "list"] += 1;
    else requests[method === "POST" || method === "DELETE" ? method : "PUT"] += 1;
  }
  return requests;
}
