import { readme } from "./readme";

/** A code block that a reader types or saves, with the paragraph before it. */
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

/** A program with a diff applied: each run of removed lines is replaced by the added ones. */
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
