import { readme } from "./readme";

/** A block of code that a reader types or saves, with the last paragraph before it. */
export interface Step {
  language: string;
  text: string;
  above: string;
}

/** The blocks below a heading of the README, in order. */
export function stepsBelow(heading: string): Step[] {
  const [, after = ""] = readme.split(`\n## ${heading}\n`);
  const [section = ""] = after.split(/^## /m);
  return [...section.matchAll(/([^\n]*)\n\n```(\w+)\n([\s\S]*?)\n```$/gm)].map(
    ([, above = "", language = "", text = ""]) => ({ language, text, above }),
  );
}

/** A program with the lines of a diff: each run of lines that go is where those that come are put. */
export function edited(program: string, diff: string): string {
  let text = program;
  for (const [, gone = "", come = ""] of diff.matchAll(/((?:^-.*\n?)+)((?:^\+.*\n?)+)/gm)) {
    const [from, to] = [gone, come].map((lines) => lines.replace(/^[-+]/gm, "").trimEnd());
    if (from === undefined || to === undefined || text.split(from).length !== 2)
      throw new Error(`The program should have this once:\n${from}`);
    text = text.replace(from, () => to);
  }
  return text;
}
