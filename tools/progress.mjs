/**
 * The progress of a run of several steps, to print before each step: `2 of 5, after 3 min`.
 *
 * @param {number} step from 0 on
 * @param {number} steps
 * @param {number} milliseconds since the beginning
 */
export function progress(step, steps, milliseconds) {
  const minutes = Math.floor(milliseconds / 60_000);
  const time = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${step + 1} of ${steps}${minutes === 0 ? "" : `, after ${time}`}`;
}
