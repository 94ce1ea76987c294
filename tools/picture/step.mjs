/** The step of the demo that the picture shows. */
export const STEP = "Change the program";

const TITLE = /^━━ /;

/**
 * The picture's step in the demo's output: from its title to the line before the next one.
 *
 * @param {readonly import("./svg.mjs").Line[]} lines
 */
export function stepIn(lines) {
  const first = lines.findIndex((line) => TITLE.test(textOf(line)) && textOf(line).endsWith(`: ${STEP}`));
  if (first < 0) throw new Error(`The demo has no step "${STEP}".`);
  const length = lines.slice(first + 1).findIndex((line) => TITLE.test(textOf(line)));
  const step = lines.slice(first, length < 0 ? undefined : first + 1 + length);
  while (step.length > 0 && textOf(step.at(-1) ?? []) === "") step.pop();
  return step;
}

/** @param {import("./svg.mjs").Line} line */
function textOf(line) {
  return line.map(({ text }) => text).join("");
}
