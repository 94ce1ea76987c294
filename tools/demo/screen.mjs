import { styleText } from "node:util";

/** Whether the terminal shows colours. */
export const colours = process.stdout.isTTY === true && !process.env.NO_COLOR;

/**
 * @param {Parameters<typeof styleText>[0]} style
 * @param {string} text
 */
export function styled(style, text) {
  return colours ? styleText(style, text) : text;
}

/** @param {string} text */
export function show(text) {
  process.stdout.write(text);
}

/** @param {string} line */
export function log(line) {
  show(`${line}\n`);
}

/**
 * The lines that an edit removes and adds, with one line of context before and after.
 *
 * @param {string} before
 * @param {string} after
 */
export function difference(before, after) {
  const [old, young] = [before.split("\n"), after.split("\n")];
  let first = 0;
  while (first < old.length && old[first] === young[first]) first += 1;
  let last = 0;
  while (
    last < old.length - first &&
    last < young.length - first &&
    old.at(-1 - last) === young.at(-1 - last)
  )
    last += 1;
  return [
    ...old.slice(Math.max(0, first - 1), first).map((line) => `    ${line}`),
    ...old.slice(first, old.length - last).map((line) => styled("red", `  - ${line}`)),
    ...young.slice(first, young.length - last).map((line) => styled("green", `  + ${line}`)),
    ...old.slice(old.length - last, old.length - last + 1).map((line) => `    ${line}`),
  ].join("\n");
}

const PRIVACY = ["public", "private", "password"];

/**
 * The service's records, as a table.
 *
 * @param {import("./check.mjs").Happened["holds"]} holds
 */
export function inventory({ websites, pixels }) {
  const sites = websites.map(({ id, domain, privacy, email, exclude_ips }) => [
    String(id),
    domain,
    PRIVACY[privacy ?? 0] ?? String(privacy),
    email ? "yes" : "no",
    exclude_ips?.replaceAll("\n", ", ") ?? "",
  ]);
  const tags = pixels.map(({ id, name, type, value }) => [String(id), name, type, value]);
  return [
    ...table("no website", ["website", "domain", "privacy", "reports", "excluded IPs"], sites),
    ...table("no pixel", ["pixel", "name", "type", "value"], tags),
  ].join("\n");
}

/**
 * @param {string} none what is said of an empty table
 * @param {string[]} head
 * @param {string[][]} rows
 */
function table(none, head, rows) {
  if (rows.length === 0) return [`  ${none}`];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (/** @type {string[]} */ cells) =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd();
  return [styled("dim", line(head)), ...rows.map(line)];
}
