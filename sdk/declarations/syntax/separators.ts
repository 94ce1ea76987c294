import type { Rule } from "./repair";

const KEY = /^(\s*(?:- )?)(["']?)([\w.-]+)\2/;

/** `domain:shop.example.com` */
export const blankAfterColon: Rule = (line) => {
  const [start, , , name] = /^(\s*(?:- )?)(["']?)([\w.-]+)\2:(?=[^\s/])/.exec(line) ?? [];
  if (start === undefined || name === undefined) return [];
  return [
    {
      becomes: `${start} ${line.slice(start.length)}`,
      column: start.length,
      text: 'write a space after the colon, as in "name: value"',
    },
  ];
};

/** `domain shop.example.com`, `domain = shop.example.com`, `shop` */
export const colon: Rule = (line, names) => {
  const [start, , , name = ""] = KEY.exec(line) ?? [];
  if (start === undefined) return [];
  const tail = line.slice(start.length);
  const text = `write a colon and a space after ${names.has(name) ? name : "the name"}`;
  if (/^\s*(#.*)?$/.test(tail))
    return [{ becomes: `${start}:${tail}`, column: start.length, text: "write a colon after the name" }];
  const [mark] = /^\s*[=;]\s*|^\s+(?=[^\s:])/.exec(tail) ?? [];
  if (mark === undefined) return [];
  return [{ becomes: `${start}: ${tail.slice(mark.length)}`, column: start.length, text }];
};

/** `{ name: GA type: bing }`, `[a,, b]` */
export const comma: Rule = (line, names) => {
  const missing = [...line.matchAll(/[^\s,{[]\s+(?=([\w-]+):\s)/g)].filter(([, name = ""]) =>
    names.has(name),
  );
  const doubled = /,\s*(?=,)/.exec(line);
  return [
    ...missing.map(({ 0: found, 1: name, index }) => ({
      becomes: `${line.slice(0, index + 1)}, ${line.slice(index + found.length)}`,
      column: index + found.length,
      text: `write a comma before ${name}`,
    })),
    ...(doubled === null
      ? []
      : [
          {
            becomes: line.slice(0, doubled.index) + line.slice(doubled.index + doubled[0].length),
            column: doubled.index,
            text: "there are two commas here: take one out",
          },
        ]),
  ];
};

/** `-ref` */
export const blankAfterDash: Rule = (line) => {
  const [start] = /^\s*-(?=[^\s-])/.exec(line) ?? [];
  if (start === undefined) return [];
  return [
    {
      becomes: `${start} ${line.slice(start.length)}`,
      column: start.length,
      text: "write a space after the dash",
    },
  ];
};

/** `- blog:` */
export const dashBeforeName: Rule = (line) => {
  const [, start, entry = ""] = /^(\s*)-\s+([\w.-]+\s*:.*)$/.exec(line) ?? [];
  if (start === undefined) return [];
  return [
    {
      becomes: start + entry,
      column: start.length,
      text: "names are no entries of a list: take the dash out",
    },
  ];
};

/** `name: GA;` */
export const semicolon: Rule = (line) => {
  const bare = line.trimEnd();
  if (!bare.endsWith(";")) return [];
  return [
    { becomes: bare.slice(0, -1), column: bare.length - 1, text: "a line ends without ;: take it out" },
  ];
};
