/** Texts that are no YAML, or not as it is wanted here, and every line that is said about each. */
export const unreadable: { says: string; text: string; lines: string[] }[] = [
  { says: "nothing", text: "", lines: ["1:1: the file is empty; to declare nothing, write {}"] },
  {
    says: "comments alone",
    text: "# later\n",
    lines: ["1:1: the file is empty; to declare nothing, write {}"],
  },
  {
    says: "a list",
    text: "- a\n",
    lines: ["1:1: the file must be a mapping: names, each with a value, such as websites:"],
  },
  {
    says: "keys that are there twice",
    text: "websites:\n  a: { domain: a.b, domain: b.b }\n  a: { domain: c.b }",
    lines: [
      "2:21: domain is in line 2 already: take one of the two out, or rename it",
      "3:3: a is in line 2 already: take one of the two out, or rename it",
    ],
  },
  {
    says: "tabs",
    text: "websites:\n\ta:\n\t\tdomain: a.b",
    lines: ["2:1: a tab can't indent; use spaces", "3:1: a tab can't indent; use spaces"],
  },
  {
    says: "a second document",
    text: "websites: {}\n---\npixels: {}\n",
    lines: ["2:1: a second document begins here; a file is one document"],
  },
  {
    says: "an alias without anchor, and one within its own",
    text: "websites:\n  a: { <<: *b, domain: a.b }\n  c: { domain: c.b, excludeParams: &l [*l] }",
    lines: [
      "2:12: there is no anchor of this name before it",
      "3:40: this alias stands within its own anchor",
    ],
  },
  {
    says: "a name that is no text",
    text: "websites:\n  ? [a]\n  : { domain: a.b }\n  '': {}",
    lines: ["2:5: a name must be text that is not empty", "4:3: a name must be text that is not empty"],
  },
  {
    says: "a bracket that is open",
    text: "websites: { a: { domain: a.b }",
    lines: ["1:11: the { here has no end: write } where it ends, on this line"],
  },
];

/** Secrets in places where a parser would quote them in its message. */
export const spilling: [string, string][] = [
  ["as a tag", "websites: { a: { domain: a.b, password: !hunter2hunter2 x } }"],
  ["as an alias", "websites: { a: { domain: a.b, password: *hunter2hunter2 } }"],
  ["in a block's first line", "websites:\n  a:\n    password: |hunter2hunter2\n    domain: a.b"],
  ["with a colon in it", "websites:\n  a:\n    password: hunter2hunter2: x\n"],
  ["with an escape in it", 'websites: { a: { password: "hunter2\\qhunter2hunter2" } }'],
  ["without an end", 'websites: { a: { password: "hunter2hunter2'],
  ["in a list", "websites: { a: { domain: a.b, password: [hunter2hunter2] } }"],
  ["with another key", "websites: { a: { domain: a.b, password: { config: hunter2hunter2!! } } }"],
  ["twice", "websites: { a: { domain: a.b, password: hunter2hunter2, password: hunter2hunter2 } }"],
];
