import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { marked } from "marked";
import { expect, test } from "vitest";
import { laid, stored } from "../doctor/harness";
import { HOSTILE } from "../list/rows";
import { ran } from "../run-command";

type Step = { op: string; urn: string; oldState?: object; newState?: object };

/** A step of the engine; `before` and `after` are a record's values. */
function step(
  op: string,
  type: string,
  before?: Record<string, unknown>,
  after?: Record<string, unknown>,
  more = {},
): Step {
  const [oldState, newState] = [before, after].map((values) =>
    values ? { ...stored(type, "it", 1, values), custom: true, ...more } : undefined,
  );
  return { op, urn: "", ...(oldState && { oldState }), ...(newState && { newState }) };
}

function foreign(op: string, name: string): Step {
  const state = {
    urn: `urn:pulumi:dev::made-up::aws:s3/bucket:Bucket::${name}`,
    type: "aws:s3/bucket:Bucket",
    custom: true,
  };
  return { op, urn: "", oldState: state, newState: state };
}

/** What the command says of a preview. */
async function said(
  steps: Step[],
  messages: (string | { severity: string; message: string })[],
  ...args: string[]
) {
  const { folder } = await laid({});
  const file = join(folder, "preview.json");
  const diagnostics = messages.map((each) =>
    typeof each === "string" ? { severity: "info", message: `${each}\n` } : each,
  );
  writeFileSync(file, JSON.stringify({ steps, diagnostics }));
  return ran("preview", "--from", file, ...args);
}

const site = (domain: string, more = {}) => ({ domain, privacy: "private", ...more });
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

test("names what is lost and what is seen first, then every field, and counts the resources of others", async () => {
  const { status, out } = await said(
    [
      { op: "same", urn: "" },
      step("create", "Pixel", undefined, { name: "GA", type: "bing" }),
      step("create", "Website", undefined, site("taken.example", { adopt: true })),
      step("import", "Website", undefined, site("imported.example")),
      step(
        "update",
        "Website",
        site("a.example", { emailReports: false, excludeIps: ["192.0.2.1"] }),
        site("a.example", { emailReports: true }),
      ),
      step("update", "Website", site("open.example", { password: "[secret]" }), {
        ...site("open.example", { password: "[secret]" }),
        privacy: "public",
      }),
      step("update", "Website", site("same.example"), site("same.example")),
      step("refresh", "Website", site("a.example"), site("a.example")),
      step("replace", "Website", site("old.example"), site(UNKNOWN)),
      step("create-replacement", "Website", site("old.example"), site(UNKNOWN)),
      step("delete-replaced", "Website", site("old.example")),
      step("delete-replaced", "Website", site("left.example"), undefined, { id: "2", delete: true }),
      step("delete", "Website", site("gone.example")),
      step("delete", "Website", site("kept.example"), undefined, { retainOnDelete: true }),
      step("delete", "Pixel", { name: "Old", type: "bing" }),
      { op: "delete", urn: "", oldState: { urn: "urn:pulumi:dev::made-up::my:Part::part", type: "my:Part" } },
      foreign("update", "logs"),
      foreign("update", "more-logs"),
      foreign("delete", "data"),
    ],
    [
      'website "taken.example" exists already (id 7) and will be adopted; its privacy changes from "public" to "private"',
      'website "open.example": its password changes',
    ],
  );
  expect([status, out]).toEqual([
    0,
    `Websites and pixels: 4 deleted; 1 replaced; 1 becomes public; 2 changed; 1 adopted; 1 created; 1 imported; of other packages 2 updated, 1 deleted.
Deleted:
  website gone.example: its statistics are deleted
  website kept.example: the record stays on the service
  website left.example: an earlier "up" replaced it; its statistics are deleted
  pixel Old
Replaced:
  website old.example: domain "old.example" → (known after up); its statistics are deleted
Becomes public:
  website open.example: privacy "private" → "public"; password (secret)
Changed:
  website a.example: emailReports false → true; excludeIps ["192.0.2.1"] → []
  website same.example: an option of its resource, or a secret
Adopted:
  website taken.example: exists already (id 7) and will be adopted; its privacy changes from "public" to "private"
Created:
  pixel GA: type "bing"
Imported:
  website imported.example: privacy "private"
Resources of other packages that are deleted or replaced:
  aws:s3/bucket:Bucket data: deleted
`,
  ]);
});

const PERHAPS = "if it exists, which this preview does not show; otherwise it is created";

test("an adoption that the engine's preview only counts is not called new", async () => {
  const { out } = await said(
    [
      step("create", "Website", undefined, site("counted.example", { adopt: true })),
      step("create", "Website", undefined, site("new.example")),
    ],
    ["and more, not shown: exists already and will be adopted"],
  );
  expect(out).toContain(
    `Adopted:\n  website counted.example: ${PERHAPS}; privacy "private"\nCreated:\n  website new.example: `,
  );
});

test("what is secret or not known yet is no other resource's, and a secret list is no text", async () => {
  const list = { excludeIps: "[secret]", excludeParams: ["a", "[secret]"] };
  const [hidden, unknown] = [site("[secret]"), site(UNKNOWN)];
  const { status, out } = await said(
    [
      step("replace", "Website", hidden, hidden),
      step("replace", "Website", site("d.example"), site("d.example", { emailReports: true })),
      step("create", "Website", undefined, hidden),
      step("create", "Website", undefined, unknown),
      step("create", "Website", undefined, { ...unknown, adopt: true }),
      step("update", "Website", site("a.example", list), site("a.example", list)),
      step("update", "Website", site("b.example", list), site("b.example", { password: "[secret]" })),
      step(
        "update",
        "Website",
        site("c.example", { privacy: "[secret]" }),
        site("c.example", { privacy: "[secret]" }),
      ),
    ],
    [
      'website "b.example": its excludeIps (in Python exclude_ips) will be emptied',
      'website "c.example": its statistics page becomes public',
    ],
  );
  expect([status, out]).toEqual([
    0,
    `Websites and pixels: 2 replaced; 1 becomes public; 2 changed; 1 adopted; 2 created.
Replaced:
  website [secret]: its statistics are deleted
  website d.example: emailReports (not managed) → true; its statistics are deleted
Becomes public:
  website c.example: an option of its resource, or a secret
Changed:
  website a.example: an option of its resource, or a secret
  website b.example: password (secret); excludeParams (secret); excludeIps (secret)
Adopted:
  website (known after up): ${PERHAPS}; privacy "private"
Created:
  2 websites: privacy "private": (known after up), [secret]
`,
  ]);
});

test("what loses the protection of its statistics is named, in either form, which the engine does not count as a change", async () => {
  const lifted = (op: string, type: string, name: string, before: object, after: object, news = {}): Step => {
    const both = step(op, type, { ...site(name), name }, { ...site(name), name, ...news });
    return { ...both, oldState: { ...both.oldState, ...before }, newState: { ...both.newState, ...after } };
  };
  const steps = [
    lifted("same", "Website", "a.example", { protect: true }, {}),
    lifted("update", "Website", "b.example", { protect: true }, { protect: false }, { privacy: "public" }),
    lifted("same", "Website", "still.example", { protect: true }, { protect: true }),
    lifted("same", "Website", "retained.example", { protect: true }, { retainOnDelete: true }),
    lifted("same", "Website", "no-longer.example", { retainOnDelete: true }, {}),
    lifted("same", "Pixel", "GA", { protect: true }, {}),
    lifted("create-replacement", "Website", "replaced.example", { protect: true }, {}),
  ];
  const { out } = await said(steps, []);
  expect(out).toContain(
    'Becomes public:\n  website b.example: privacy "private" → "public"\n' +
      "No longer protected:\n  2 websites: protect true → false: a.example, b.example\n" +
      "  website no-longer.example: retainOnDelete true → false\n",
  );
  const argument = (value: boolean) => site("n.example", { deletionProtection: value });
  const native = step("update", "Website", argument(true), argument(false));
  expect((await said([native], [])).out).toContain(
    "No longer protected:\n  website n.example: deletionProtection true → false\n",
  );
  const guarded = step("delete", "Website", argument(true));
  expect((await said([guarded], [])).out).toContain(
    "website n.example: its statistics are deleted, unless its deletionProtection refuses that\n",
  );
  const moved = { ...native, newState: { ...native.newState, protect: true } };
  expect((await said([moved], [])).out).not.toContain("No longer protected");
  expect(await said(steps.slice(0, 1), [], "--expect-no-changes")).toMatchObject({ status: 0 });
});

test("what the provider says of a resource stands beside it, and an adoption that opens a page is named twice", async () => {
  const opened = site("opened.example", { adopt: true, privacy: "public" });
  const { out } = await said(
    [
      step("create", "Pixel", undefined, { name: "GA", type: "bing" }),
      step("update", "Website", site("a.example"), site("a.example", { privacy: "password" })),
      step("update", "Website", site("renamed.example"), site("b.example")),
      step("create", "Website", undefined, site("gone.example")),
      step("create", "Website", undefined, opened),
      step("create", "Website", undefined, { ...opened, domain: "open.example" }),
    ],
    [
      { severity: "warning", message: 'warning: pixel "GA": its value is odd: many services refuse it\n' },
      'website "a.example": password is needed',
      'website "b.example" (id 5) is "renamed.example" on the service now: rename it back there',
      'website "gone.example" (id 6) is gone from the service. It is created again',
      'website "opened.example": its statistics page becomes public',
      'website "opened.example" exists already (id 7) and will be adopted; its privacy changes from "private" to "public"',
      'website "open.example": its statistics page becomes public',
      'website "open.example" exists already (id 8) and will be adopted; nothing changes on it',
    ],
  );
  expect(out).toBe(`Websites and pixels: 1 becomes public; 2 changed; 2 adopted; 2 created.
Becomes public:
  website opened.example: privacy "public"
Changed:
  website a.example: privacy "private" → "password"; password is needed
  website b.example: is "renamed.example" on the service now: rename it back there
Adopted:
  website open.example: exists already (id 8) and will be adopted; nothing changes on it
  website opened.example: exists already (id 7) and will be adopted; its privacy changes from "private" to "public"
Created:
  pixel GA: type "bing"; its value is odd: many services refuse it
  website gone.example: privacy "private"; is gone from the service. It is created again
`);
});

const ANOTHER =
  'another resource declares it, which stops the "up": give that one the option aliases if it is the same, else adopt: true';

test("websites that swap their domains keep their statistics if both adopt, and are refused if not", async () => {
  const swap = (adopt: boolean, domain: string, other: string) =>
    step("replace", "Website", site(domain), site(other, { adopt, privacy: "public" }));
  const names = ["a.example", "b.example"] as const;
  const [one, two] = names;
  const changes = 'privacy changes from "private" to "public"';
  const notices = names.map(
    (name) => `website "${name}" exists already (id 7) and will be adopted; its ${changes}`,
  );
  const replacement = `website "${one}": domain becomes "${two}"; to keep its statistics, declare a second website`;
  const replaced = (domain: string, other: string, remark: string) =>
    `  website ${domain}: domain "${domain}" → "${other}"; privacy "private" → "public"; ${remark}\n`;
  const stays = "the record stays, since it is adopted";
  expect((await said([swap(true, one, two), swap(true, two, one)], [...notices, replacement])).out).toBe(
    `Websites and pixels: 2 replaced; 2 becomes public; 2 adopted.\nReplaced:\n${replaced(one, two, stays)}${replaced(two, one, stays)}` +
      'Becomes public:\n  2 websites: privacy "public": a.example, b.example\n' +
      `Adopted:\n  2 websites: exists already (id 7) and will be adopted; its ${changes}: a.example, b.example\n`,
  );
  expect((await said([swap(false, one, two), swap(false, two, one)], [])).out).toContain(
    `Replaced:\n${replaced(one, two, ANOTHER)}${replaced(two, one, ANOTHER)}`,
  );
});

test("a record that another resource declares is not called deleted with all that it has", async () => {
  const names = ["renamed.example", "adopted.example"];
  const gone = names.map((name) => step("delete", "Website", site(name)));
  const made = names.map((name, at) =>
    step("create", "Website", undefined, { ...site(name), adopt: at > 0 }),
  );
  const notice = 'website "adopted.example" exists already (id 7) and will be adopted; nothing changes on it';
  const { out } = await said([...made, ...gone], [notice]);
  expect(out).toContain(
    "website adopted.example: the record stays, since it is adopted\n" +
      `  website renamed.example: ${ANOTHER}\n`,
  );
  expect(out).not.toContain("statistics are deleted");
  const elsewhere = { provider: "urn:pulumi:dev::made-up::pulumi:providers:pulumi-nodejs::other::5678" };
  const moved = made.map((each) => ({ ...each, newState: { ...each.newState, ...elsewhere } }));
  // In another account, it is another record.
  expect((await said([...moved, ...gone], [notice])).out).toContain(
    names
      .map((name) => `  website ${name}: its statistics are deleted\n`)
      .sort()
      .join(""),
  );
  // With its id, it is the same if the account is, and in whatever spelling.
  const same = notice.replace("id 7", "id 1").replace("adopted.", "ADOPTED.");
  expect((await said([...moved, ...gone], [same])).out).toContain(
    "adopted.example: the record stays, since it is adopted, if its provider has this account\n",
  );
  const doubt =
    'could not check whether website "adopted.example" already exists and would be adopted: no answer';
  expect((await said([...made, ...gone], [doubt])).out).toContain(
    `adopted.example: the record stays, since it is adopted\n  website renamed.example: ${ANOTHER}\nAdopted:\n  website adopted.example: ${PERHAPS}; `,
  );
});

test("a delete that the engine leaves to another resource, or does in this run only, is not called a loss", async () => {
  const urn = "urn:pulumi:dev::made-up::aws:s3/bucket:Bucket::data";
  const { oldState: kept } = foreign("delete", "kept");
  const [before, after] = [site("a.example"), site("b.example")];
  const renamed = { urn: "urn:pulumi:dev::made-up::pulumi-nodejs:dynamic/tracking:Website::renamed" };
  const replace = step("replace", "Website", before, after);
  const { out } = await said(
    [
      step("delete", "Website", site("with.example"), undefined, { deletedWith: urn }),
      foreign("delete", "data"),
      { op: "delete", urn: "", oldState: { ...kept, retainOnDelete: true } },
      { ...replace, ...renamed, newState: { ...replace.newState, ...renamed } },
      step("delete-replaced", "Website", before),
      step("import", "Website", site("it.example", { deletionProtection: true }), site("it.example")),
    ],
    [],
  );
  expect(out).toBe(`Websites and pixels: 1 deleted; 1 replaced; 1 imported; of other packages 2 deleted.
Deleted:
  website with.example: the record stays, unless what it is deletedWith takes it along
Replaced:
  website a.example: domain "a.example" → "b.example"; its statistics are deleted
Imported:
  website it.example: an option of its resource, or a secret
Resources of other packages that are deleted or replaced:
  aws:s3/bucket:Bucket data: deleted
  aws:s3/bucket:Bucket kept: no longer managed
`);
});

test("Markdown shows odd names as they are, and fits in a comment whose first line a job finds", async () => {
  const odd = HOSTILE.map((name) => step("delete", "Pixel", { name, type: "bing" }));
  const { out } = await said(odd, [], "--format", "markdown");
  expect(out).toMatch(/^<!-- pulumi-tracking -->\n\n### Websites and pixels: 10 deleted\n/);
  expect(await marked(out)).not.toMatch(/<(img|b|em|a|table)\b/);
  const many = Array.from({ length: 3000 }, (_, at) =>
    step("create", "Pixel", undefined, { name: `Pixel ${at}`, type: `a type of its own: ${at}` }),
  );
  const long = await said(many, [], "--format", "markdown");
  expect(Buffer.byteLength(long.out)).toBeLessThanOrEqual(60_000);
  expect(long.out).toMatch(/… and \d+ more\.\n\n<\/details>\n$/);
});

test("the same change of many resources is one line that names them, at most a hundred", async () => {
  const [one, other] = [{ excludeIps: ["192.0.2.1"] }, { excludeIps: ["192.0.2.2"] }];
  const shops = Array.from({ length: 101 }, (_, at) => `shop-${at}.example`);
  const steps = shops.map((name) => step("update", "Website", site(name, one), site(name, other)));
  const alone = step("update", "Website", site("a.example", one), site("a.example"));
  const lost = ["b.example", "c.example"].map((name) => step("delete", "Website", site(name)));
  const all = [...steps, alone, ...lost].reverse();
  expect((await said(all, [], "--format", "markdown")).out).toContain(
    '**Changed (102)**\n\n- website `a.example`: `excludeIps ["192.0.2.1"] → []`\n- 100 websites: `excl',
  );
  const { out } = await said(all, []);
  const change = 'excludeIps ["192.0.2.1"] → ["192.0.2.2"]';
  expect(out.split("\n").slice(1)).toEqual([
    "Deleted:",
    "  website b.example: its statistics are deleted",
    "  website c.example: its statistics are deleted",
    "Changed:",
    '  website a.example: excludeIps ["192.0.2.1"] → []',
    `  100 websites: ${change}: ${shops.slice(0, 100).join(", ")}`,
    `  website shop-100.example: ${change}`,
    "",
  ]);
});

test("fails if the preview did, if a change was not expected, and if there is no preview", async () => {
  const message = 'error: Preview failed: resource "a" cannot be deleted\nbecause it is protected';
  const messages = [
    message,
    "error: preview failed\n",
    "Error: odd\n    at \u001B[90mmain (/index.ts:1:7)\u001B[39m\n",
  ].map((each) => ({ severity: "error", message: each }));
  const failed = await said([], messages, "--format", "markdown");
  // Not that there are no changes: the preview had not come to them.
  expect(failed.out).toContain(
    "### Websites and pixels: the preview failed\n\n**The preview failed (2)**\n\n" +
      '- `resource "a" cannot be deleted`\n- `because it is protected`\n- `Error: odd`\n',
  );
  const advice = /because it is protected\. If it was renamed or moved, give it the option aliases/;
  expect(failed).toMatchObject({ status: 1, error: expect.stringMatching(advice) });
  expect((await said([], messages)).out).toContain(
    'The preview failed: resource "a" cannot be deleted\n  because it is protected\nThe preview failed: Error: odd\n',
  );
  const update = [step("update", "Website", site("a.example"), site("a.example", { privacy: "public" }))];
  expect(await said(update, [], "--expect-no-changes")).toMatchObject({ status: 1 });
  expect(await said([], [], "--expect-no-changes")).toMatchObject({
    status: 0,
    out: "Websites and pixels: no changes.\n",
  });
  expect(await ran("preview", "--from", "missing.json")).toMatchObject({ status: 1 });
  const nothing = join((await laid({})).folder, "empty.json");
  writeFileSync(nothing, "");
  const empty = await ran("preview", "--from", nothing);
  expect(empty).toMatchObject({
    status: 1,
    error: expect.stringContaining("empty.json is empty: the preview failed"),
  });
  writeFileSync(nothing, "websites: []");
  expect(await ran("preview", "--from", nothing)).toMatchObject({
    status: 1,
    error: expect.stringMatching(/printed something unexpected: it is not JSON.*Name a file with --from/),
  });
  expect(await ran("preview", "--format", "html")).toMatchObject({ status: 2 });
  expect(await ran("preview", "--from", nothing, "--stack", "dev")).toMatchObject({ status: 2 });
});
