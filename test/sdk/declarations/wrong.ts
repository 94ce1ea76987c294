import { website } from "../../../provider/resources";

/** Files that are refused, and how every line of the message begins: with its place. */
export const wrong: { says: string; text: string; lines: string[]; unseen?: true }[] = [
  {
    says: "a mistyped section, argument and option",
    text: `websties: {}
websites:
  shop:
    domain: shop.example.com
    privcy: public
    options: { protct: true }
`,
    lines: [
      '1:1: unknown section "websties"; did you mean "websites"?',
      '5:5: websites.shop: unknown argument "privcy"; did you mean "privacy"?',
      '6:16: websites.shop: options: unknown option "protct"; did you mean "protect"?',
    ],
  },
  {
    says: "values of the wrong kind",
    text: `websites:
  shop:
    domain: https://shop.example.com/
    privacy: secret
    emailReports: yes
    excludeBots: 1
    excludeParams: ref
    excludeIps: { config: ips }
    adopt: "true"
  blog: { domain: [blog.example.com], privacy: , options: { protect: Off } }
`,
    lines: [
      "3:13: websites.shop: domain must be",
      "4:14: websites.shop: privacy must be",
      "5:19: websites.shop: emailReports must be",
      "6:18: websites.shop: excludeBots must be",
      "7:20: websites.shop: excludeParams must be",
      "8:17: websites.shop: excludeIps must be",
      "9:12: websites.shop: adopt must be",
      "10:19: websites.blog: domain must be",
      "10:48: websites.blog: privacy must be",
      "10:70: websites.blog: options: protect must be",
    ],
  },
  {
    says: "a password that is missing, which an imported record may have, beside another mistake",
    text: "websites: { a: { domain: a.b, privacy: password, excludeBots: no } }",
    lines: ["1:63: websites.a: excludeBots must be"],
  },
  {
    says: "arguments that are not indented further than the name of their resource",
    text: "websites:\n  shop:\n  domain: a.b",
    lines: [
      "2:3: websites.shop: domain is missing",
      "3:11: websites.domain must be a mapping, with a space after each colon, such as { domain: … }; if it is an argument, indent it further than the name of its resource",
    ],
  },
  {
    says: "a shared list's value, once for all that use it",
    text: `lists:
  office: [192.0.2.0/244]
websites:
  a: { domain: a.b, excludeIps: [office] }
  b: { domain: b.b, excludeIps: [office] }
  c: { domain: c.b, excludeIps: [office, 192.0.2.300] }
`,
    lines: ["2:12: lists.office: excludeIps must be", "6:42: websites.c: excludeIps must be"],
  },
  {
    says: "lists that are not there, near a name and far from any",
    text: "lists: { office: [] }\nwebsites: { a: { domain: a.b, excludeIps: [offise, elsewhere] } }",
    lines: [
      "2:44: websites.a: excludeIps must be",
      `2:52: websites.a: excludeIps must be a list of IP addresses or CIDR ranges such as "192.0.2.7" or "2001:db8::/32", or the name of one under "lists", not "elsewhere"`,
    ],
    unseen: true,
  },
  {
    says: "a list that names a list",
    text: "lists:\n  a: [b]\n  b: [192.0.2.1]\nwebsites: { a: { domain: a.b, excludeIps: a } }",
    lines: ["2:7: lists.a: b is a list, and a list holds values only: name both in the argument"],
    unseen: true,
  },
  {
    says: "lists that are none, and names and entries that can't be",
    text: "lists: { a: , b: 192.0.2.1, 1c: [], d: [true, [x], null, ] }",
    lines: [
      "1:13: lists: a must be a list of values, not null",
      '1:18: lists: b must be a list of values, not "192.0.2.1"',
      '1:29: lists.1c: a list\'s name is letters, digits, "-" and "_", and no digit comes first',
      "1:47: lists: d must be a list of values, not a list",
      "1:52: lists: d must be a list of values, not null",
    ],
  },
  {
    says: "a secret in clear, one of another shape, and one without a key",
    text: `websites:
  shop: { domain: a.b, password: hunter2hunter2 }
  other: { domain: b.b, password: { confg: hunter2hunter2 } }
`,
    lines: [
      '2:34: websites.shop: password is a secret and must not be in the file: write "password: { config: NAME }", and run "pulumi config set --secret NAME"',
      "3:35: websites.other: password is a secret",
    ],
  },
  {
    says: "a secret that the stack's config does not have",
    text: "websites: { a: { domain: a.b, password: { config: hunter2 } } }",
    lines: ["1:51: websites.a: password: the stack's config has no key of this name: run "],
    unseen: true,
  },
  {
    says: "options that name what isn't there",
    text: `websites:
  shop: { domain: a.b, options: { ignoreChanges: [domian] } }
  blog: { domain: b.b, options: { dependsOn: websites.shop } }
`,
    lines: [
      `2:51: websites.shop: options: ignoreChanges must be a list of these arguments: ${Object.keys(website.inputs).join(", ")}, not "domian"; did you mean "domain"?`,
      '3:35: websites.blog: options: unknown option "dependsOn"; options takes protect, ',
    ],
  },
];

/** Texts that are no YAML, or not a file of declarations: what it is | the text | how each line of the message begins. */
const UNREADABLE = String.raw`
nothing||1:1: the file must be a mapping, with a space after each colon, such as websites:, or {} to declare nothing
a list|- a\n|1:1: the file must be a mapping, with a space after each colon, such as websites:
names that are there twice|websites:\n  a: { domain: a.b, domain: b.b }\n  a: { domain: c.b }|2:21: this name is in line 2 already: remove or rename one of them|3:3: this name is
an alias, with the file's other mistakes, and none twice|defaults: { websites: &usual { emailReports: maybe } }\nwebsites:\n  a: *usual\n  b: { <<: *usual, domain: a.b, colour: red }|1:46: defaults.websites: emailReports must|3:6: anchors and aliases are not supported here: put what several share into "lists" or "defaults", and text that begins with * into quotes|4:12: anchors and aliases are not supported here|4:33: websites.b: unknown argument "colour"
a merge that is written in its place|websites:\n  a: { <<: { emailReports: true }, domain: a.b }|2:8: websites.a: unknown argument "<<"
two documents|websites: {}\n---\nwebsites: {}|2:1: a file holds one document: remove this line, or put what follows it into another file
a name that no value can be kept by|websites:\n  __proto__: { domain: a.b }|2:3: no name can be "__proto__"
an empty name|websites:\n  '': {}\n  : {}|2:3: no name can be ""|3:1: this name is in line 2|3:1: no name can be 
`;

export const unreadable = UNREADABLE.trim()
  .split("\n")
  .map((row) => {
    const [says = "", text = "", ...begins] = row.split("|");
    return [says, { text: text.replaceAll("\\n", "\n"), begins }] as const;
  });

/** Secrets that a parser would quote in its message. */
export const spilling: [string, string][] = [
  ["as a tag", "websites: { a: { domain: a.b, password: !hunter2hunter2 x } }"],
  ["as an alias", "websites: { a: { domain: a.b, password: *hunter2hunter2 } }"],
  ["in a block's first line", "websites:\n  a:\n    password: |hunter2hunter2\n    domain: a.b"],
  ["with a colon in it", "websites:\n  a:\n    password: hunter2hunter2: x\n"],
  ["after a name and no space", "websites: { a: { domain: a.b, passwrd:hunter2hunter2 } }"],
  ["with an escape in it", 'websites: { a: { password: "hunter2\\qhunter2hunter2" } }'],
  ["without an end", 'websites: { a: { password: "hunter2hunter2'],
  ["in a list", "websites: { a: { domain: a.b, password: [hunter2hunter2] } }"],
  ["with another key", "websites: { a: { domain: a.b, password: { config: hunter2hunter2!! } } }"],
  ["twice", "websites: { a: { domain: a.b, password: hunter2hunter2, password: hunter2hunter2 } }"],
];
