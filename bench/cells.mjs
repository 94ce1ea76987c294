import { ratio } from "./figures.mjs";
import { megabytes } from "./goals.mjs";

/** Where nothing was measured. */
export const NONE = "–";

/** @param {number} ms */
export function seconds(ms) {
  return (ms / 1000).toFixed(1);
}

/** @param {number | undefined} bytes */
export function volume(bytes) {
  return bytes === undefined ? NONE : megabytes(bytes);
}

/**
 * @param {number | undefined} ms
 * @param {number | undefined} floorMs
 */
export function share(ms, floorMs) {
  if (ms === undefined) return NONE;
  const times = ratio(ms, floorMs);
  return `${seconds(ms)} s${times === undefined ? "" : ` (${times.toFixed(2)} ×)`}`;
}

/** @param {number} value */
export function thousands(value) {
  return value.toLocaleString("en");
}

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
export function table(head, rows) {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
