/**
 * @typedef {object} Operation
 * @property {string} name
 * @property {string} title as the document calls it
 * @property {readonly string[]} args of `pulumi`
 * @property {Record<string, string>} [env] further variables of the environment
 * @property {0 | 1} email whether the program asks for e-mail reports: the one field that changes
 * @property {"POST" | "PUT" | "DELETE"} [write] what it sends once for each record
 * @property {boolean} [reads] whether it has to read the records; set for one that sends nothing else
 * @property {"all" | "none"} leaves what is on the service afterwards
 */

const UP = ["up", "--yes", "--skip-preview"];

/** What is measured, in the order in which a stack goes through it. @type {readonly Operation[]} */
export const OPERATIONS = [
  { name: "up", title: "`up`, everything new", args: UP, email: 0, write: "POST", leaves: "all" },
  { name: "up again", title: "`up`, nothing to do", args: UP, email: 0, leaves: "all" },
  { name: "preview", title: "`preview`, nothing to do", args: ["preview"], email: 0, leaves: "all" },
  {
    name: "refresh",
    title: "`refresh`",
    args: ["refresh", "--yes", "--skip-preview"],
    email: 0,
    reads: true,
    leaves: "all",
  },
  {
    name: "change",
    title: "`up`, one field of each changed",
    args: UP,
    email: 1,
    write: "PUT",
    leaves: "all",
  },
  {
    name: "destroy",
    title: "`destroy`",
    args: ["destroy", "--yes", "--skip-preview"],
    email: 1,
    write: "DELETE",
    leaves: "none",
  },
];

/**
 * One of them.
 *
 * @param {string} name
 */
export function operation(name) {
  const found = OPERATIONS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no operation ${name}.`);
  return found;
}
