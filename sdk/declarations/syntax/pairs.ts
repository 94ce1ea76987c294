import type { Rule } from "./repair";

/** A quote that begins and does not end. */
export const closingQuote: Rule = (line) =>
  ['"', "'"].flatMap((quote) => {
    if (line.replaceAll(`\\${quote}`, "").split(quote).length % 2 === 1) return [];
    const last = line.lastIndexOf(quote);
    const [ends = ""] = /(\s*[,\]}]+)?\s*$/.exec(line) ?? [];
    const flow = /[,\]}]/.exec(line.slice(last));
    const text = `the quote here has no partner: write a second ${quote} at the end of the text`;
    const at = [line.length - ends.length, line.length, ...(flow ? [last + flow.index] : [])];
    return [...new Set(at)].map((place) => ({
      becomes: `${line.slice(0, place).trimEnd()}${quote}${line.slice(place)}`,
      column: last,
      text,
    }));
  });

/** `'it's'` */
export const quoteWithin: Rule = (line) => {
  const [, start, inner] = /^(.*?[:[,{-]\s+)'(.*'.*)'\s*$/.exec(line) ?? [];
  if (start === undefined || inner === undefined) return [];
  return [
    {
      becomes: `${start}'${inner.replaceAll("'", "''")}'`,
      column: start.length,
      text: "a single quote within single quotes has to be written twice; or put the text in double quotes",
    },
  ];
};

const PAIRS = { "[": "]", "{": "}" } as const;

/** `[a, b` */
export const closingBracket: Rule = (line) => {
  const open: { bracket: keyof typeof PAIRS; at: number }[] = [];
  for (const [at, character] of [...line].entries()) {
    if (character === "[" || character === "{") open.push({ bracket: character, at });
    else if (character === "]" || character === "}") open.pop();
  }
  const last = open.at(-1);
  if (last === undefined) return [];
  const bare = line.replace(/\s+(#.*)?$/, "");
  const inner = /[\]}]+$/.exec(bare)?.index ?? bare.length;
  return [...new Set([bare.length, inner])].map((place) => ({
    becomes: `${bare.slice(0, place)}${place === bare.length ? " " : ""}${PAIRS[last.bracket]}${bare.slice(place)}`,
    column: last.at,
    text: `the ${last.bracket} here has no end: write ${PAIRS[last.bracket]} where it ends, on this line`,
  }));
};

/** `ga: name: GA }`, `a: [b]]` */
export const openingBracket: Rule = (line) =>
  (Object.entries(PAIRS) as [string, string][]).flatMap(([open, close]) => {
    if (line.split(close).length <= line.split(open).length) return [];
    const last = line.lastIndexOf(close);
    const [start] = /^\s*(?:- )?[^:]+:\s+/.exec(line) ?? [];
    return [
      ...(start === undefined
        ? []
        : [
            {
              becomes: `${start}${open} ${line.slice(start.length)}`,
              column: start.length,
              text: `the ${close} at the end has no beginning: write ${open} before what it ends`,
            },
          ]),
      {
        becomes: line.slice(0, last) + line.slice(last + 1),
        column: last,
        text: `there is one ${close} more than ${open}: take it out`,
      },
    ];
  });

/** `"a\\qb"` */
export const badEscape: Rule = (line) => {
  const [, start, inner] = /^(.*?[:[,{-]\s+)"([^"']*\\[^"']*)"\s*$/.exec(line) ?? [];
  if (start === undefined) return [];
  return [
    {
      becomes: `${start}'${inner}'`,
      column: start.length,
      text: "there is no such escape in double quotes; single quotes take a text as it stands",
      mild: true,
    },
  ];
};

/** A value that YAML reads as something else than text. */
export const quotes: Rule = (line) => {
  const [, start, value = ""] = /^(\s*(?:- |(?:- )?["']?[\w.-]+["']?:\s+))(\S.*?)\s*$/.exec(line) ?? [];
  if (start === undefined || /^["'[{#]/.test(value)) return [];
  return [
    {
      becomes: `${start}${JSON.stringify(value)}`,
      column: start.length,
      text: "put this text in quotes: in YAML, a colon with a space, or @, `, %, &, !, | and > at the beginning, mean something else",
      mild: true,
    },
  ];
};
