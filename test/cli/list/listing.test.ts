import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { marked, Renderer } from "marked";
import { describe, expect, test, vi } from "vitest";
import { type Listing, type ListRow, listRecords } from "../../../cli/list/listing";
import { formatMarkdown } from "../../../cli/list/markdown";
import { formatPage } from "../../../cli/list/page";
import { formatTable } from "../../../cli/list/table";
import type { StackResource } from "../../../cli/pulumi/json-output";
import type { StackOptions } from "../../../cli/stack-options";
import { creationEntry } from "../../../provider/schema/identity";
import { listening } from "../../listening";
import { silent, type WebsiteSeed } from "../../service";
import { account, doctor, KEY, laid, type MadeUp, plain, sealed, stored, trouble } from "../doctor/harness";
import { ran } from "../run-command";
import { HOSTILE, row } from "./rows";

async function list(stacks: Record<string, MadeUp>, wanted: StackOptions = {}) {
  const { folder, logger, open } = await laid({ stacks });
  return listRecords(wanted, folder, logger, open);
}

/** Such as `website a.example: shop (dev), protected, drift`. */
function lines({ records }: Listing): string[] {
  return records.map(({ type, key, id, managedBy, protected: isProtected, problems }) =>
    [
      `${type} ${key} ${id}`,
      managedBy.map(({ stack, resource }) => `${stack}/${resource}`).join("+") || "none",
      ...(isProtected ? ["protected"] : []),
      ...problems,
    ].join(" "),
  );
}

const site = (name: string, id: number, more: object = {}, options: object = {}) =>
  stored("Website", name, id, { domain: `${name}.example`, privacy: "private", ...more }, options);

test("every record, who manages it, what differs from state, the worst first, by one request for a hundred", async () => {
  const websites = ["same", "drifted", "two", "free", "twin", "twin", "renamed", "moved"].map((name, at) => ({
    id: at + 1,
    domain: `${name}.example`,
    privacy: at === 1 ? 0 : 1,
    exclude_ips: "192.0.2.0/24",
  }));
  const { config, control } = await account({ seed: { websites } });
  const dev = [
    site("same", 1, {}, { protect: true }),
    site("drifted", 2, { excludeIps: ["192.0.2.0/24"], password: sealed("canary-password") }),
    site("two", 3),
    site("old", 7),
    site("moved", 19),
    site("gone", 9),
    { ...site("free", 4), external: true },
  ];
  const made = await list(
    {
      dev: { config, deployment: { resources: dev } },
      live: { config, deployment: { resources: [site("two", 3)] } },
    },
    { allStacks: true },
  );
  expect(lines(made)).toEqual([
    "Website gone.example 9 dev/gone record-missing",
    "Website moved.example 19 dev/moved wrong-id",
    "Website old.example 7 dev/old another-record",
    "Website two.example 3 dev/two+live/two managed-twice",
    "Website twin.example 5 none duplicate-record unmanaged",
    "Website twin.example 6 none duplicate-record unmanaged",
    "Website drifted.example 2 dev/drifted drift",
    "Website free.example 4 none unmanaged",
    "Website moved.example 8 none unmanaged",
    "Website renamed.example 7 none unmanaged",
    "Website same.example 1 dev/same protected",
  ]);
  // What a stack lacks on the service is no record of the service.
  expect(formatTable(made)).toMatch(
    /^8 websites, 0 pixels\. Stacks dev, live: 3 managed, 5 in no stack that was read, 7 with a problem\.\n.*gone\.example of gone \(dev\): not on the service\n/,
  );
  expect(formatMarkdown(made)).toContain("- managed by: `no stack` 5, `dev` 3\n");
  expect(made.records[6]?.drift).toEqual([{ argument: "privacy", state: "private", service: "public" }]);
  // Those that the list lacks are asked for once more, and then it is read again.
  expect(control.requests().map(({ method, path }) => `${method} ${path}`)).toHaveLength(5);
  expect(JSON.stringify(made)).not.toContain("canary-password");
});

describe("what doctor says of a record, the list says too:", () => {
  const both = async (resources: StackResource[], seed: WebsiteSeed[], isOmitted = false) => {
    const { config, control } = await account({ seed: { websites: seed } });
    const stacks = { dev: { config, deployment: { resources } } };
    const fault = () => {
      if (isOmitted) control.addFault({ match: { path: "/api/v1/websites" }, reply: { body: { data: [] } } });
    };
    fault();
    const listed = lines(await list(stacks));
    control.clearFaults();
    fault();
    return [listed, trouble(await doctor({ stacks }))];
  };
  const leaving = { delete: true };

  test("a domain that can't be read, of a service that shows none, or in a state that someone edited", async () => {
    const [a, b] = [site("a", 1), site("b", 2)];
    const old = [1, 2].map((id) => ({ id, url: `${id}.example`, privacy: 1 }) as object as WebsiteSeed);
    expect(await both([a, b], old)).toEqual([
      ["Website  1 dev/a record-unreadable", "Website  2 dev/b record-unreadable"],
      ["error record-unreadable", "error record-unreadable"],
    ]);
    const edited = site("a", 1, { domain: 5 });
    expect(await both([edited], [{ id: 1, domain: "a.example", privacy: 1 }])).toEqual([
      ["Website a.example 1 dev/a state-unreadable"],
      ["error state-unreadable"],
    ]);
  });

  test("another record with its id and its domain, by the time of its creation", async () => {
    const held = site("a", 1);
    const outputs = { ...held.outputs, ...creationEntry({}, { createdAt: "2020-02-03T04:05:06.000000Z" }) };
    expect(await both([{ ...held, outputs }], [{ id: 1, domain: "a.example", privacy: 1 }])).toEqual([
      ["Website a.example 1 dev/a another-record", "Website a.example 1 none unmanaged"],
      ["error another-record"],
    ]);
  });

  test("another record with its id and another domain, and one that someone deleted and made again", async () => {
    const outputs = (name: string) => ({
      ...site(name, 1).outputs,
      ...creationEntry({}, { createdAt: "2020-02-03T04:05:06.000000Z" }),
    });
    const resources = [
      { ...site("a", 1), outputs: outputs("a") },
      { ...site("b", 2), outputs: outputs("b") },
    ];
    const rows = [
      { id: 1, domain: "other.example", privacy: 1 },
      { id: 9, domain: "b.example", privacy: 1 },
    ];
    expect(await both(resources, rows)).toEqual([
      [
        "Website b.example 2 dev/b record-missing",
        "Website a.example 1 dev/a another-record",
        "Website b.example 9 none unmanaged",
        "Website other.example 1 none unmanaged",
      ],
      ["error another-record", "error record-missing"],
    ]);
  });

  test("what two resources leave waits for its delete, and is not managed twice", async () => {
    const other = { ...site("a", 1, {}, leaving), urn: site("b", 1).urn };
    expect(
      await both([site("a", 1, {}, leaving), other], [{ id: 1, domain: "a.example", privacy: 1 }]),
    ).toEqual([["Website a.example 1 dev/a+dev/b pending-delete"], ["warning pending-delete"]]);
  });

  test("what a list omits has a row, whether the service has it or not", async () => {
    const resources = [site("kept", 5), site("kept", 5, {}, leaving), site("gone", 7, {}, leaving)];
    expect(await both(resources, [{ id: 5, domain: "kept.example", privacy: 0 }], true)).toEqual([
      ["Website gone.example 7 dev/gone pending-delete", "Website kept.example 5 dev/kept drift"],
      ["warning pending-delete"],
    ]);
  });
});

test("a record is one, however the address of its service is written", async () => {
  const { config } = await account({ seed: { websites: [{ id: 1, domain: "a.example", privacy: 1 }] } });
  const { value = "" } = config["tracking:analyticsBaseUrl"] ?? {};
  const stackOf = (address: string) => ({
    config: { ...config, "tracking:analyticsBaseUrl": plain(address) },
    deployment: { resources: [site("a", 1)] },
  });
  const written = value.replace("http", "HTTP");
  const stacks = { dev: stackOf(`${written}/`), live: stackOf(value) };
  expect(lines(await list(stacks, { allStacks: true }))).toEqual([
    "Website a.example 1 dev/a+live/a managed-twice",
  ]);
  const { findings } = await doctor({ stacks: { dev: stacks.dev } });
  expect(findings.map(({ code }) => code)).not.toContain("unmanaged");
});

test("pixels of one name in two accounts at one address are no duplicates, nor are those that two keys show", async () => {
  const server = createServer(({ headers }, answer) => {
    const id = headers.authorization === "Bearer key-a" ? 1 : 2;
    answer.setHeader("content-type", "application/json");
    answer.end(JSON.stringify({ data: [{ id, name: "GA", type: "bing", value: "1" }] }));
  });
  const value = `http://127.0.0.1:${await listening(server)}`;
  const stackOf = (key: string) => ({
    config: { "tracking:apiKey": plain(key), "tracking:dataBaseUrl": { value } },
  });
  const stacks = { a: stackOf("key-a"), b: stackOf("key-b"), c: stackOf("key-c") };
  const made = await list(stacks, { allStacks: true });
  expect(lines(made).sort()).toEqual(["Pixel GA 1 none unmanaged", "Pixel GA 2 none unmanaged"]);
});

test("what is doubtful about all of it is a note: another account, a list that may lack records", async () => {
  const pixels = Array.from({ length: 120 }, (_, at) => ({
    id: at + 1,
    name: `P${at}`,
    type: "bing",
    value: "1",
  }));
  const { config, control } = await account({ seed: { websites: [{ id: 1, domain: "a.example" }], pixels } });
  control.become({ page: "ignored", says: silent });
  const resources = [site("b", 8), site("c", 9), site("a", 1, {}, { delete: true })];
  const { notes, records, stacks } = await list({ dev: { config, deployment: { resources } } });
  const { value: address } = config["tracking:analyticsBaseUrl"] ?? {};
  expect(notes).toEqual([
    `websites: at ${address}, none of the 2 records that were looked for was found in this account: the key or the address is probably that of another one`,
    "The service's list of pixels may be incomplete",
  ]);
  expect(stacks).toEqual(["dev"]);
  const websites = records.filter(({ type }) => type === "Website");
  expect(websites.map(({ key, problems }) => [key, problems])).toEqual([
    ["b.example", ["wrong-account"]],
    ["c.example", ["wrong-account"]],
    ["a.example", ["pending-delete"]],
  ]);
});

test("what a program marked as secret is hidden, where the service shows it too", async () => {
  const websites = [
    { id: 1, domain: "covert.example", exclude_ips: "192.0.2.77", privacy: 0 },
    { id: 2, domain: "open.example", exclude_ips: "192.0.2.77", privacy: 1 },
  ];
  const { config } = await account({ seed: { websites } });
  const resources = [
    site("covert", 1, { domain: sealed("covert.example"), excludeIps: sealed(["192.0.2.1"]) }),
    site("open", 2, { excludeIps: [sealed("192.0.2.1")] }),
  ];
  const made = await list({ dev: { config, deployment: { resources } } });
  expect(made.records).toMatchObject([
    {
      key: "(secret)",
      drift: [
        { argument: "privacy", state: "private", service: "public" },
        { argument: "excludeIps", state: "(secret)", service: "(secret)" },
      ],
    },
    { key: "open.example", drift: [{ argument: "excludeIps", state: "(secret)", service: "(secret)" }] },
  ]);
  for (const text of [
    JSON.stringify(made),
    formatTable(made),
    formatMarkdown(made),
    formatPage(made, new Date(0)),
  ])
    for (const secret of ["covert.example", "192.0.2.", KEY]) expect(text).not.toContain(secret);
});

test.each<[string, MadeUp, RegExp]>([
  ["a stack that can't be read", { refusal: "no passphrase" }, /Stack dev can't be read/],
  [
    "a wrong setting",
    { config: { "tracking:dataBaseUrl": plain("nowhere") } },
    /^Stack dev: the API key .*config set --stack dev --secret tracking:apiKey/,
  ],
  [
    "a service that does not answer",
    { config: { "tracking:apiKey": plain(KEY), "tracking:dataBaseUrl": plain("http://127.0.0.1:1") } },
    /^Stack dev: pixels: .*127\.0\.0\.1:1/,
  ],
])("%s is an error, since a list without it would be wrong", async (_name, stack, message) => {
  const { config } = await account({ seed: { websites: [{ id: 1, domain: "a.example" }] } });
  await expect(list({ dev: stack })).rejects.toThrow(message);
  // Beside one that can be read, too: its records would be in no stack.
  const live = { config, deployment: { resources: [] } };
  await expect(list({ live, dev: stack }, { allStacks: true })).rejects.toThrow(message);
});

test("a stack without settings holds nothing, so alone it is an error, and beside another it is not", async () => {
  const { config } = await account({ seed: { websites: [{ id: 1, domain: "a.example" }] } });
  await expect(list({ dev: {} })).rejects.toThrow(
    /^Stack dev has no base URL of a service.*config set --stack dev tracking:analyticsBaseUrl/,
  );
  expect((await list({ live: { config }, dev: {} }, { allStacks: true })).records).toHaveLength(1);
});

test("a value of another type in state is said in its row, and the others are shown", async () => {
  const websites = ["odd", "fine"].map((name, at) => ({ id: at + 1, domain: `${name}.example`, privacy: 1 }));
  const { config } = await account({ seed: { websites } });
  const resources = [
    stored("Website", "odd", 1, { domain: "odd.example", excludeIps: "192.0.2.1", privacy: "public" }),
    stored("Website", "fine", 2, { domain: "fine.example", privacy: "public" }),
  ];
  const made = await list({ dev: { config, deployment: { resources } } });
  const drift = 'drift: privacy "private" instead of "public"';
  const lines = formatTable(made).trimEnd().split("\n");
  expect(lines.slice(3, 5)).toEqual([
    '"npx pulumi-tracking doctor" says what to do.',
    'What drifted is shown by "pulumi preview --refresh --run-program --diff".',
  ]);
  expect(lines.slice(-2).map((line) => line.split(/ {2,}/).at(-1))).toEqual([
    `its state can't be read: excludeIps; ${drift}`,
    drift,
  ]);
});

test("records are in the order of their kinds, and in that of their keys and ids as people count", async () => {
  const websites = ["b", "a-10", "a-2"].map((name, at) => ({ id: at + 1, domain: `${name}.example` }));
  const pixels = ["Zeta", "Ads", "Ads"].map((name, at) => ({ id: 10 - at, name, type: "bing" }));
  const { config } = await account({ seed: { websites, pixels } });
  const { records } = await list({ dev: { config, deployment: { resources: [] } } });
  expect(records.map(({ key, id }) => `${key} ${id}`)).toEqual([
    "Ads 8",
    "Ads 9",
    "a-2.example 3",
    "a-10.example 2",
    "b.example 1",
    "Zeta 10",
  ]);
});

/** A listing of these rows. */
const listingOf = (records: ListRow[], notes: string[] = []) =>
  ({ format: 1, version: "", stacks: ["dev"], notes, records }) as const;

test("a table that is too wide loses the most in its widest columns, and none has less than eight characters", () => {
  const rows = ["a", "b"].map((letter, at) => {
    const managedBy = [{ stack: "dev", resource: letter.repeat(20), urn: "" }];
    return row({ key: letter.repeat(30), id: String(at), managedBy });
  });
  const table = (room: number) => formatTable(listingOf(rows), room).trimEnd().split("\n").slice(-2);
  const lines = (width: number) =>
    ["a", "b"].map((letter, at) => {
      const cut = `${letter.repeat(width - 1)}…  `;
      return `website  ${cut}${cut}${at}`;
    });
  expect([table(45), table(20)]).toEqual([lines(15), lines(8)]);
});

test("Markdown has the notes, and a part with what needs attention", () => {
  const rows = [row({ key: "lost.example", problems: ["record-missing"] }), row({ key: "fine.example" })];
  const [above = "", attention = "", all = ""] = formatMarkdown(
    listingOf(rows, ["The service's list of websites may be incomplete"]),
  ).split(/^\*\*|<details>/m);
  expect(above).toContain("\n\n> `The service's list of websites may be incomplete`\n\n");
  expect([attention, all].map((part) => part.match(/\w+(?=\.example)/g))).toEqual([
    ["lost"],
    ["lost", "fine"],
  ]);
});

test("what is the same of every record is said once, above the table", () => {
  const managedBy = [{ stack: "dev", resource: "a", urn: "" }];
  const [a, b] = [
    row({ key: "a.example", managedBy, protected: true }),
    row({ key: "b.example", managedBy, id: "2" }),
  ];
  expect(
    formatTable(listingOf([a, { ...b, protected: true }]))
      .split("\n")
      .slice(1),
  ).toEqual([
    "Of all: Privacy or type: private; Managed by: a; Protected: yes; State: as in the stack.",
    "",
    "Kind     Domain or name  Id",
    "website  a.example       1",
    "website  b.example       2",
    "",
  ]);
  expect(formatTable(listingOf([a, b]))).toMatch(/Kind +Domain or name +Protected +Id\n/);
  expect(formatTable(listingOf([a]))).toMatch(
    /Kind +Domain or name +Privacy or type +Managed by +Protected +Id +State\n/,
  );
});

test("on a terminal, long names are cut so that each row is one line; a file or a pipe has them whole", async () => {
  const [long, short] = ["a-shop-with-a-very-long-name.example.com", "b.example.com"];
  const { config } = await account({
    seed: { websites: [long, short].map((domain, at) => ({ id: at + 1, domain })) },
  });
  const made = await list({ dev: { config, deployment: { resources: [] } } });
  const whole = formatTable(made).trimEnd().split("\n").slice(-3);
  expect(formatTable(made, 200)).toBe(formatTable(made));
  const cut = formatTable(made, 40).trimEnd().split("\n").slice(-3);
  expect(Math.max(...whole.map(({ length }) => length))).toBeGreaterThan(40);
  expect(Math.max(...cut.map(({ length }) => length))).toBeLessThanOrEqual(40);
  const cells = cut.map((line) => line.split(/ {2,}/));
  expect(cells[1]?.[1]).toMatch(/^a-shop-with.*…$/);
  expect(cells[2]?.[1]).toBe(short);
  expect(cells.map((row) => row.at(-1))).toEqual(["Id", "1", "2"]);
});

test("names that are code for a terminal or for Markdown are only text, one row each", async () => {
  const created_at = "2020-01-02 03:04:05";
  const pixels = HOSTILE.map((name, at) => ({ id: at + 1, name, type: "bing", value: "G-1", created_at }));
  const { config } = await account({ seed: { pixels } });
  const red = stored("Pixel", "red", 7, { name: "\u001B[32mgreen", type: "bing" });
  const resources = [
    stored("Pixel", "odd", 1, { name: HOSTILE[0], type: "quora" }),
    { ...red, outputs: { ...red.outputs, ...creationEntry({}, { createdAt: created_at }) } },
  ];
  const made = await list({ dev: { config, deployment: { resources } } });
  expect(made.records.filter(({ drift }) => drift.length > 0)).toHaveLength(2);
  expect(JSON.stringify(made)).not.toMatch(/\\u001b|\u202E/i);
  const text = formatTable(made);
  expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202E]/u);
  const [, table = ""] = text.split("\n\n");
  const [heading = "", ...lines] = table.trim().split("\n");
  expect(lines.map((line) => line.charAt(heading.indexOf("Id")))).toEqual(
    made.records.map(({ id = "" }) => id.charAt(0)),
  );
  const rendered = await marked(formatMarkdown(made));
  const shown = (name: string) => new Renderer().codespan({ type: "codespan", raw: name, text: name });
  for (const { key } of made.records) expect(rendered).toContain(`<td>${shown(key)}</td>`);
  expect(rendered).not.toMatch(/<(img|b|em|a)\b/);
});

test("the command writes what it is asked for, to a file too, and refuses two formats", async () => {
  const { folder } = await laid({ stacks: {}, project: undefined });
  const { settings } = await account({ seed: { websites: [{ id: 1, domain: "shop.example" }] } });
  for (const [name, value] of Object.entries(settings))
    vi.stubEnv(`TRACKING_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`, value);
  vi.spyOn(process, "cwd").mockReturnValue(folder);

  const json = await ran("list", "--json");
  expect(JSON.parse(json.out)).toMatchObject({ format: 1, stacks: [], records: [{ key: "shop.example" }] });
  expect((await ran("list")).out).toMatch(/^1 website, 0 pixels\. No stack was read/);
  const file = join(folder, "list.html");
  expect(await ran("list", "--format", "html", "--out", file)).toMatchObject({
    status: 0,
    out: "",
  });
  expect(readFileSync(file, "utf8")).toContain("shop.example</td>");
  expect(await ran("list", "--out", folder)).toMatchObject({ status: 1 });
  expect(await ran("list", "--json", "--format", "table")).toMatchObject({
    status: 2,
    out: "",
  });
});
