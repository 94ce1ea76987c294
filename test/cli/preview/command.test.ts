import { marked } from "marked";
import { expect, onTestFinished, test, vi } from "vitest";
import { IGNORE_PROTECTION } from "../../../provider/config";
import { stored } from "../doctor/harness";
import { HOSTILE } from "../list/rows";
import { played } from "../played";
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

/** The URN of the stack's own provider over the plugin, without the version of the package. */
const DEFAULT = "urn:pulumi:dev::made-up::pulumi:providers:tracking::default";

/** The same of the plugin. */
function ofPlugin(
  op: string,
  name: string,
  before?: Record<string, unknown>,
  after?: Record<string, unknown>,
  more = {},
): Step {
  const type = "tracking:index:Website";
  const provider = `${DEFAULT}_0_1_0::1234`;
  const urn = `urn:pulumi:dev::made-up::${type}::${name}`;
  return { ...step(op, "Website", before, after, { type, urn, provider, ...more }), urn };
}

function foreign(op: string, name: string): Step {
  const state = {
    urn: `urn:pulumi:dev::made-up::aws:s3/bucket:Bucket::${name}`,
    type: "aws:s3/bucket:Bucket",
    custom: true,
  };
  return { op, urn: "", oldState: state, newState: state };
}

/** What the command says of a preview that ends with this code. */
async function said(
  steps: Step[],
  messages: (string | { severity: string; message: string; urn?: string })[],
  args: string[] = [],
  code = 0,
  events: object[] = [],
) {
  const diagnostics = messages.map((each) =>
    typeof each === "string" ? { severity: "info", message: `${each}\n` } : each,
  );
  // With its policies, an engine prints its events, and without them it may print one JSON.
  const streamed = [
    ...steps.map(({ op, urn, oldState, newState }) => ({
      resourcePreEvent: { metadata: { op, urn, old: oldState ?? null, new: newState ?? null } },
    })),
    ...diagnostics.map((diagnosticEvent) => ({ diagnosticEvent })),
    ...events,
  ].map((event, sequence) => `${JSON.stringify({ sequence, timestamp: 1, ...event })}\n`);
  const printed = events.length > 0 ? streamed.join("") : JSON.stringify({ steps, diagnostics });
  const { calls } = played({ preview: `cat printed; exit ${code}` }, { printed });
  return { ...(await ran("preview", ...args)), calls };
}

const site = (domain: string, more = {}) => ({ domain, privacy: "private", ...more });
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

test("names what is lost and what is seen first, then every field, and what other packages lose", async () => {
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
      step("refresh", "Website", site("a.example"), site("a.example"), { urn: "of another resource" }),
      step("replace", "Website", site("old.example"), site(UNKNOWN)),
      step("create-replacement", "Website", site("old.example"), site(UNKNOWN)),
      step("delete-replaced", "Website", site("old.example")),
      step("delete-replaced", "Website", site("left.example"), undefined, { id: "2", delete: true }),
      step("delete", "Website", site("gone.example"), undefined, { id: "3" }),
      step("delete", "Website", site("kept.example"), undefined, { retainOnDelete: true }),
      step("delete", "Pixel", { name: "Old", type: "bing" }),
      { op: "delete", urn: "", oldState: { urn: "urn:pulumi:dev::made-up::my:Part::part", type: "my:Part" } },
      {
        op: "delete",
        urn: "",
        oldState: {
          urn: "urn:pulumi:dev::made-up::pulumi:providers:aws::aws",
          type: "pulumi:providers:aws",
          custom: true,
        },
      },
      foreign("update", "logs"),
      foreign("delete", "data"),
    ],
    [
      'website "taken.example" exists already (id 7) and will be adopted; what changes on it: privacy (now "public")',
      'website "open.example": its password changes',
    ],
  );
  expect([status, out]).toEqual([
    0,
    `Websites and pixels: 3 websites lose their statistics; 4 deleted; 1 replaced; 3 changed; 2 created; 1 imported; 1 deleted or replaced of other packages.
Deleted:
  website gone.example: its statistics are deleted
  website kept.example: the record stays on the service
  website left.example: an earlier "up" replaced it; its statistics are deleted
  pixel Old
Replaced:
  website old.example: domain "old.example" → (known after up); its statistics are deleted
Changed:
  website a.example: emailReports false → true; excludeIps ["192.0.2.1"] → []
  website open.example: privacy "private" → "public"
  website same.example: an option of its resource, or a secret
Created:
  pixel GA: type "bing"
  website taken.example: privacy "private"; if one exists, it is adopted
Imported:
  website imported.example: privacy "private"
Deleted or replaced of other packages:
  aws:s3/bucket:Bucket data: deleted
Messages:
  website "taken.example" exists already (id 7) and will be adopted; what changes on it: privacy (now "public")
  website "open.example": its password changes
`,
  ]);
});

test("what is secret or not known yet is shown as such, and a secret list is no text", async () => {
  const list = { excludeIps: "[secret]", excludeParams: ["a", "[secret]"] };
  const [hidden, unknown] = [site("[secret]"), site(UNKNOWN)];
  const { status, out } = await said(
    [
      step("replace", "Website", hidden, hidden),
      step("replace", "Website", site("d.example"), site("d.example", { emailReports: true })),
      step("create", "Website", undefined, hidden),
      step("create", "Website", undefined, unknown),
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
      'website "b.example": its excludeIps will be emptied',
      'website "c.example": its statistics page becomes public',
    ],
  );
  expect([status, out]).toEqual([
    0,
    `Websites and pixels: 2 websites lose their statistics; 2 replaced; 3 changed; 2 created.
Replaced:
  website [secret]: its statistics are deleted
  website d.example: emailReports (not managed) → true; its statistics are deleted
Changed:
  website a.example: an option of its resource, or a secret
  website b.example: password (secret); excludeParams (secret); excludeIps (secret)
  website c.example: an option of its resource, or a secret
Created:
  2 websites: privacy "private": (known after up), [secret]
Messages:
  website "b.example": its excludeIps will be emptied
  website "c.example": its statistics page becomes public
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
    "No longer protected:\n  2 websites: protect true → false: a.example, b.example\n" +
      "  website no-longer.example: retainOnDelete true → false\n" +
      'Changed:\n  website b.example: privacy "private" → "public"\n',
  );
  const argument = (value: boolean) => site("n.example", { deletionProtection: value });
  const native = ofPlugin("update", "n", argument(true), argument(false));
  expect((await said([native], [])).out).toBe(
    "Websites and pixels: 1 no longer protected.\nNo longer protected:\n  website n.example: deletionProtection true → false\n",
  );
  const secret = { password: "[secret]" };
  const both = ofPlugin("update", "n", { ...argument(true), ...secret }, { ...argument(false), ...secret });
  expect((await said([both], [])).out).toContain(
    "website n.example: an option of its resource, or a secret\n",
  );
  const moved = { ...native, newState: { ...native.newState, protect: true } };
  expect((await said([moved], [])).out).toBe(
    "Websites and pixels: 1 changed.\nChanged:\n  website n.example: deletionProtection true → false\n",
  );
  const back = ofPlugin("update", "n", argument(false), argument(true));
  expect((await said([back], [])).out).toContain(
    "Changed:\n  website n.example: deletionProtection false → true\n",
  );
});

test("the plugin's protection is that of the arguments, with its default, whatever the outputs of a step have or lack", async () => {
  const [omitted, known] = [site("n.example"), site("n.example", { deletionProtection: true })];
  const of = (op: string, before: object, after: object) => {
    const made = ofPlugin(op, "n", omitted, omitted);
    return {
      ...made,
      oldState: { ...made.oldState, ...before },
      newState: { ...made.newState, ...after },
    };
  };
  const silent = [
    of("refresh", { outputs: known }, { outputs: {} }),
    of("same", { outputs: known }, { outputs: omitted }),
    of("same", { outputs: known }, { inputs: known, outputs: known }),
  ];
  expect((await said(silent, [])).out).toBe("Websites and pixels: no changes.\n");
  const lifted = { ...omitted, deletionProtection: false };
  expect(
    (await said([of("update", { outputs: known }, { inputs: lifted, outputs: known })], [])).out,
  ).toContain("No longer protected:\n  website n.example: deletionProtection true → false\n");
});

test("a delete that up refuses or leaves out is not called a loss", async () => {
  const lifted = { deletionProtection: false };
  // The engine's preview gives no id to what it keeps.
  const unchanged = (name: string, values: Record<string, unknown>, more: object) => {
    const { newState, ...made } = ofPlugin("same", name, values, values, more);
    return { ...made, newState: { ...newState, id: undefined } };
  };
  const steps = [
    ofPlugin("delete", "a", site("protected.example")),
    ofPlugin("delete", "b", site("adopted.example"), undefined, { id: "2" }),
    step("create", "Website", undefined, site("adopted.example", { adopt: true }), { id: undefined }),
    ofPlugin("delete", "c", site("lifted.example", lifted), undefined, { id: "3" }),
    ofPlugin("delete", "d", site("twice.example"), undefined, { id: "4" }),
    // An update of the package has brought another provider of the same account.
    unchanged("e", site("twice.example"), { id: "4", provider: `${DEFAULT}_0_2_0::5678` }),
    ofPlugin("delete", "h", site("again.example"), undefined, { id: "6" }),
    ofPlugin("import", "i", undefined, site("again.example"), { id: "6" }),
    ofPlugin("delete", "f", site("elsewhere.example", lifted), undefined, { id: "5" }),
    unchanged("g", site("h.example"), { id: "5", provider: "urn:another::1" }),
    ofPlugin("refresh", "f", site("elsewhere.example", lifted), site("elsewhere.example", lifted), {
      id: "5",
    }),
  ];
  const deleted = async () => /Deleted:\n(.*)Created:/s.exec((await said(steps, [])).out)?.[1];
  expect(
    await deleted(),
  ).toBe(`  website adopted.example: "pulumi up" will refuse it, by deletionProtection, unless another resource adopts the record
  website again.example: stays: "i" has it
  website elsewhere.example: its statistics are deleted
  website lifted.example: its statistics are deleted
  website protected.example: "pulumi up" will refuse it, by deletionProtection
  website twice.example: stays: "e" has it
`);
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv(IGNORE_PROTECTION, "true");
  expect(await deleted()).toContain("website protected.example: its statistics are deleted\n");
});

test("what the provider and the program say is quoted word for word and once, below the steps, and so of two providers with one domain", async () => {
  const there = { provider: "urn:pulumi:dev::made-up::pulumi:providers:pulumi-nodejs::other::5678" };
  const [one, two] = [site("a.example"), site("a.example", { privacy: "public" })];
  const again = 'website "a.example": its statistics page becomes public';
  const { out } = await said(
    [step("update", "Website", one, two), step("update", "Website", two, one, there)],
    [
      again,
      { severity: "warning", message: `warning: pixel "GA": its value is odd:\n  many services refuse it\n` },
      { severity: "info#err", message: "a library is old\n" },
      { severity: "debug", message: "not for people\n" },
      again,
      "and more, not shown: its statistics page becomes public",
    ],
  );
  expect(out).toBe(`Websites and pixels: 2 changed.
Changed:
  website a.example: privacy "private" → "public"
  website a.example: privacy "public" → "private"
Messages:
  ${again}
  warning: pixel "GA": its value is odd:
    many services refuse it
  a library is old
  and more, not shown: its statistics page becomes public
`);
});

test("a record that another resource adopts is not called lost, and any other one is", async () => {
  const lost = ["a.example", "b.example"].map((name) => step("delete", "Website", site(name)));
  const adopts = step("create", "Website", undefined, site("A.example", { adopt: true }));
  expect((await said([adopts, ...lost], [])).out).toContain(
    "website a.example: its statistics are deleted, unless another resource adopts the record\n  website b.example: its statistics are deleted\n",
  );
  // Of two that swap their domains, each adopts the other one's.
  const swap = (from: string, to: string) =>
    step("replace", "Website", site(from, { adopt: true }), site(to, { adopt: true }));
  const { out } = await said([swap("a.example", "b.example"), swap("b.example", "a.example")], []);
  const fate =
    "its statistics are deleted, unless another resource adopts the record; if one exists, it is adopted";
  expect(out.split("\n").slice(2)).toEqual([
    `  website a.example: domain "a.example" → "b.example"; ${fate}`,
    `  website b.example: domain "b.example" → "a.example"; ${fate}`,
    "",
  ]);
});

test("a rename by an alias is one replacement, an import changes no protection, and another package's resource may be let go", async () => {
  const { oldState: kept } = foreign("delete", "kept");
  const [before, after] = [site("a.example"), site("b.example")];
  const renamed = { urn: "urn:pulumi:dev::made-up::pulumi-nodejs:dynamic/tracking:Website::renamed" };
  const replace = step("replace", "Website", before, after);
  const { out } = await said(
    [
      { op: "delete", urn: "", oldState: { ...kept, retainOnDelete: true } },
      { ...replace, ...renamed, newState: { ...replace.newState, ...renamed } },
      step("delete-replaced", "Website", before),
      ofPlugin("import", "it", site("it.example"), site("it.example", { deletionProtection: false })),
    ],
    [],
  );
  expect(
    out,
  ).toBe(`Websites and pixels: 1 website loses its statistics; 1 replaced; 1 imported; 1 deleted or replaced of other packages.
Replaced:
  website a.example: domain "a.example" → "b.example"; its statistics are deleted
Imported:
  website it.example: an option of its resource, or a secret
Deleted or replaced of other packages:
  aws:s3/bucket:Bucket kept: no longer managed
`);
});

test("a nightly check names each difference with its direction, which resources were deleted, and the two ways on", async () => {
  const refreshed = (type: string, name: string, before: object, now?: object, wanted?: object) => {
    const at = { urn: `urn:pulumi:dev::made-up::pulumi-nodejs:dynamic/tracking:${type}::${name}` };
    const own = { domain: `${name}.example`, name, type: "bing" };
    const values = (more?: object) => more && { ...own, ...more };
    const refresh = step("refresh", type, values(before), {}, at);
    if (wanted === undefined) return [refresh];
    return [refresh, step(now ? "update" : "create", type, values(now), values(wanted), at)];
  };
  const steps = [
    ...refreshed("Website", "open", { privacy: "private" }, { privacy: "public" }, { privacy: "private" }),
    ...refreshed("Website", "gone", { privacy: "private" }, undefined, { privacy: "private" }),
    ...refreshed("Pixel", "lost", { value: "1" }, undefined, { value: "1" }),
    ...refreshed(
      "Website",
      "grown",
      { excludeIps: ["192.0.2.1"] },
      { excludeIps: ["192.0.2.1"] },
      { excludeIps: [] },
    ),
    ...refreshed("Website", "was", {}, { domain: "now.example" }, {}),
    step("create", "Pixel", undefined, { name: "new", type: "bing" }),
    ...refreshed("Pixel", "same", { value: "1" }),
  ];
  const options = ["--stack", "prod", "--", "--refresh", "--run-program", "--expect-no-changes"];
  const { status, out, error } = await said(steps, ["pixel lost is gone"], options, 7);
  expect(status).toBe(7);
  expect(
    out,
  ).toBe(`Websites and pixels: 6 differences between the service and the program: 2 deleted on the service; 3 changed; 1 created.
Deleted on the service:
  website gone.example: someone deleted it, and "pulumi up" creates it, without its statistics
  pixel lost: someone deleted it, and "pulumi up" creates it
Changed:
  website grown.example: excludeIps ["192.0.2.1"] → []
  website open.example: privacy: someone set "public", and "pulumi up" sets "private"
  website was.example: domain: someone set "now.example"
Created:
  pixel new: type "bing"
Messages:
  pixel lost is gone
`);
  expect(error).toBe(
    'error: The service differs from the program.\nTo correct the service, run "pulumi up --stack prod --refresh --run-program"; to keep what someone changed, run "npx pulumi-tracking accept --stack prod".\n',
  );
  const markdown = await said(steps, [], ["--format", "markdown", ...options], 7);
  expect(markdown.out).toMatch(
    /^<!-- pulumi-tracking -->\n\n### Websites and pixels: 6 differences between the service/,
  );
  expect(markdown.out).toContain(
    "\n\nTo correct the service, run `pulumi up --stack prod --refresh --run-program`; ",
  );

  // As the engine reads it from the environment.
  vi.stubEnv("PULUMI_OPTION_EXPECT_NO_CHANGES", "1");
  const byEnvironment = await said(steps, [], ["--stack", "prod", "--", "--refresh"], 7);
  expect([byEnvironment.out.split("\n")[0], byEnvironment.error]).toEqual([out.split("\n")[0], error]);
  const overruled = ["--", "--expect-no-changes", "--expect-no-changes=false"];
  expect((await said(steps, [], overruled, 7)).out).toMatch(/^Websites and pixels: the preview failed; /);
  vi.unstubAllEnvs();

  // What the preview does not show in words may be of the state alone, and so may a change of an option.
  const unseen = ["--stack", "prod", "--", "--refresh", "--expect-no-changes"];
  const option = refreshed("Website", "o", { value: "1" }, { value: "1" }, { value: "1" });
  const ofService = await said(option, [], unseen, 7);
  expect(ofService.error).toMatch(/^error: The service differs .*\n.*"pulumi up --stack prod --refresh /);
  const { newState: lifted = {} } = placed("create", "x", "x.example");
  const ofOption = { op: "same", urn: "", oldState: lifted, newState: { ...lifted, protect: false } };
  const ofState = await said([...refreshed("Website", "y", {}), ofOption], [], unseen, 7);
  expect(ofState.error).toBe(
    'error: The state differs from the program.\nRun "pulumi up --stack prod" once, or correct the program.\n',
  );

  const state = await said(steps.slice(-2, -1), [], ["--", "--expect-no-changes"], 7);
  expect(state.out).toMatch(
    /^Websites and pixels: 1 difference between the state and the program: 1 created\.\n/,
  );
  expect(state.error).toMatch(
    /^error: The state differs from the program\.\nRun "pulumi up" once, or correct the program\.\n$/,
  );
  // Another package's change, or a failure, is not ours to explain.
  const failed = { severity: "error", message: "error: the program failed\n" };
  for (const [some, messages] of [
    [[], []],
    [steps, [failed]],
  ] as const)
    expect((await said([...some], [...messages], options, 7)).error).toMatch(/^error: The preview failed; /);
});

test("Markdown shows odd names as they are, and fits in a comment whose first line a job finds", async () => {
  const odd = HOSTILE.map((name) => step("delete", "Pixel", { name, type: "bing" }));
  const { out } = await said(odd, [], ["--format", "markdown"]);
  expect(out).toMatch(/^<!-- pulumi-tracking -->\n\n### Websites and pixels: 10 deleted\n/);
  expect(await marked(out)).not.toMatch(/<(img|b|em|a|table)\b/);
  const many = Array.from({ length: 3000 }, (_, at) => [
    step("create", "Pixel", undefined, { name: `Pixel ${at}`, type: `a type of its own: ${at}` }),
    step("delete", "Pixel", { name: `Old ${at} of a type of its own`, type: "bing" }),
  ]);
  const news = many.slice(0, 11).flatMap(([create]) => create ?? []);
  expect((await said(news, [], ["--format", "markdown"])).out).toContain("<details>");
  expect((await said(news.slice(1), [], ["--format", "markdown"])).out).not.toContain("<details>");
  // What is adopted is not new, and stays in sight.
  const adopts = step("create", "Website", undefined, site("taken.example", { adopt: true }));
  const seen = await said([...news, adopts], [], ["--format", "markdown"]);
  expect(seen.out).toContain(
    '- website `taken.example`: `privacy "private"`; if one exists, it is adopted\n',
  );
  expect(seen.out).not.toContain("<details>");
  const long = await said(many.flat(), ["a warning of the program"], ["--format", "markdown"]);
  expect(Buffer.byteLength(long.out)).toBeLessThanOrEqual(65_536);
  expect(long.out).toMatch(
    /… and \d+ more\.\n\n<details>.*… and \d+ more\.\n\n<\/details>\n\n\*\*Messages \(1\)\*\*\n\n- `a warning of the program`\n$/s,
  );
});

test("the same change of many resources is one line that names them, at most a hundred", async () => {
  const [one, other] = [{ excludeIps: ["192.0.2.1"] }, { excludeIps: ["192.0.2.2"] }];
  const shops = Array.from({ length: 101 }, (_, at) => `shop-${at}.example`);
  const steps = shops.map((name) => step("update", "Website", site(name, one), site(name, other)));
  const alone = step("update", "Website", site("a.example", one), site("a.example"));
  const lost = ["b.example", "c.example"].map((name) =>
    step("delete", "Website", site(name), undefined, { id: name }),
  );
  const all = [...steps, alone, ...lost].reverse();
  expect((await said(all, [], ["--format", "markdown"])).out).toContain(
    '**Changed (102)**\n\n- website `a.example`: `excludeIps ["192.0.2.1"] → []`\n- 100 websites: `excl',
  );
  const { out } = await said(all, []);
  const change = "excludeIps + 192.0.2.2, - 192.0.2.1";
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

test("ends as the engine's preview ended, gives it the options after --, and says why it failed", async () => {
  const message = 'error: Preview failed: resource "a" cannot be deleted\nbecause it is protected';
  const messages = [
    message,
    "error: preview failed\n",
    "Error: odd\n    at \u001B[90mmain (/index.ts:1:7)\u001B[39m\n",
  ].map((each) => ({ severity: "error", message: each }));
  const failed = await said([], ["a line", ...messages], ["--format", "markdown"], 255);
  // Not that there are no changes: the preview had not come to them.
  expect(failed.out).toContain(
    "### Websites and pixels: the preview failed\n\n" +
      "If it has another name now, give it the old one in aliases; else see `Removing a website` in node_modules/pulumi-tracking/docs/guide.md.\n\n**Messages (3)**\n\n" +
      '- `error: Preview failed: resource "a" cannot be deleted`<br>`because it is protected`\n- `Error: odd`\n- `a line`\n',
  );
  expect((await said([], messages, [], 255)).out).toMatch(
    /\n {2}error: Preview .*\n {4}because it .*\n {2}Error: odd\n$/,
  );
  expect(failed.error).toMatch(
    /^error: The preview failed; its messages say why\.\nIf it has another name now, give it the old one in aliases; else see "Removing a website" in .*\.\n$/,
  );
  expect(failed.status).toBe(255);
  const update = step("update", "Website", site("a.example"), site("a.example", { privacy: "public" }));
  const options = ["-s", "prod", "--", "--refresh", "--expect-no-changes"];
  const unexpected = await said([update], [], options, 7);
  expect(unexpected.calls()).toEqual([
    "preview --json --show-sames --show-replacement-steps --refresh --expect-no-changes --stack prod --non-interactive --color=never",
  ]);
  expect(unexpected.status).toBe(7);
  expect(await said([], [])).toMatchObject({ status: 0, out: "Websites and pixels: no changes.\n" });
  // What it prints beside its JSON counts if it failed, and nothing that a terminal obeys is shown.
  const turning = "\u202e";
  for (const code of [0, 255]) {
    played({ preview: `echo '{"steps": []}'; echo "a panic ${turning}" >&2; exit ${code}` });
    const { out } = await ran("preview");
    expect([out.includes("a panic"), out.includes(turning)]).toEqual([code > 0, false]);
  }
  played({ preview: 'echo "error: no stack selected" >&2; exit 6' });
  expect(await ran("preview")).toMatchObject({
    status: 6,
    out: "",
    error: expect.stringContaining("no stack selected"),
  });
  expect(await ran("preview", "--format", "html")).toMatchObject({ status: 2 });
  expect(await ran("preview", "--refresh")).toMatchObject({
    status: 2,
    error: "error: unknown option '--refresh'\nOptions of pulumi preview go after --\n",
  });
});

const tokenOf = (type: string) => `pulumi-nodejs:dynamic/tracking:${type}`;
const STACK_URN = "urn:pulumi:dev::made-up::pulumi:pulumi:Stack::made-up-dev";

/** A website that is `name` in the program, in a component or not. */
function placed(op: "create" | "delete", name: string, domain: string, parent?: string, more = {}): Step {
  const urn = `urn:pulumi:dev::made-up::${parent ? "my:index:Shops$" : ""}${tokenOf("Website")}::${name}`;
  const place = { urn, parent: parent ? `urn:pulumi:dev::made-up::my:index:Shops::${parent}` : STACK_URN };
  const values = site(domain, more);
  const both = op === "create" ? ([undefined, values] as const) : ([values, undefined] as const);
  return { ...step(op, "Website", ...both, { ...place, protect: true }), urn };
}

test("a resource that is renamed or moved without an alias is one row with its old place, not a loss and a gain", async () => {
  const shops = Array.from({ length: 19 }, (_, at) => `shop-${at + 1}`);
  const moved = shops.flatMap((name) => [
    placed("create", name, `${name}.example`, "shops"),
    placed("delete", name, `${name}.example`),
  ]);
  const renamed = [
    placed("create", "support", "A.example", undefined, { emailReports: true }),
    placed("delete", "help", "a.example", undefined, { emailReports: false }),
    placed("create", "deep", "b.example", "group"),
    placed("delete", "flat", "b.example"),
  ];
  const errors = shops.map((name) => {
    const { urn } = placed("delete", name, "");
    const message = `error: Preview failed: resource "${urn}" cannot be deleted\nbecause it is protected: run\n\`pulumi state unprotect '${urn}'\``;
    return { severity: "error", message, urn };
  });
  const { out, error, status } = await said([...moved, ...renamed], errors, [], 255);
  expect([status, out]).toEqual([
    255,
    `Websites and pixels: the preview failed; 21 renamed or moved without an alias.
Renamed or moved without an alias:
  Pulumi deletes and creates a resource that has another name or parent. Give the old one in aliases: see "Renaming a resource" in node_modules/pulumi-tracking/docs/guide.md.
  website A.example: emailReports false → true; "help" before, now "support"
  website b.example: "flat" without a parent before, now "deep" in "group"
  19 websites: without a parent before, now in "shops": ${shops.map((name) => `${name}.example`).join(", ")}
Messages:
  ${errors[0]?.message.replaceAll("\n", "\n    ")}
    19 times: ${shops.join(", ")}
`,
  ]);
  expect(error).toMatch(/^error: .*another name or parent, and no alias\.\nGive the old one in aliases: /);
  // What says where it was, if neither its name nor its parent's does.
  const [component, other] = [
    placed("create", "a", "a.example", "group"),
    placed("delete", "a", "a.example", "group"),
  ];
  const urn = component.urn.replace("Shops", "Other");
  const parent = "urn:pulumi:dev::made-up::my:index:Other::group";
  const retyped = { ...component, urn, newState: { ...component.newState, urn, parent } };
  expect((await said([retyped, other], [])).out).toContain(
    `website a.example: ${other.urn} before, now ${urn}\n`,
  );
  // The advice is beside the row, and not above it too.
  const failed = await said(moved, errors, ["--format", "markdown"], 255);
  expect(failed.out.match(/Renaming a resource/g)).toHaveLength(1);
  const { out: markdown } = await said(moved, [], ["--format", "markdown"]);
  expect(markdown).toMatch(
    /\*\*Renamed or moved without an alias \(19\)\*\*\n\nPulumi deletes .* in `aliases`: see .*\n\n- 19 websites: without/,
  );
});

test("a rename is one, though the package is updated with it", async () => {
  const both = [
    ofPlugin("create", "new", undefined, site("a.example"), { provider: `${DEFAULT}_0_2_0::5678` }),
    ofPlugin("delete", "old", site("a.example")),
  ];
  expect((await said(both, [])).out).toContain('website a.example: "old" before, now "new"\n');
});

test("what only looks like a rename is none: another domain, another provider, a record that is adopted, a secret one, what an earlier up has left", async () => {
  const left = placed("delete", "seven", "d.example");
  const there = { provider: "urn:pulumi:dev::made-up::pulumi:providers:pulumi-nodejs::other::5678" };
  const elsewhere = placed("create", "two", "b.example");
  const steps = [
    placed("create", "one", "a.example"),
    placed("delete", "zero", "z.example"),
    { ...elsewhere, newState: { ...elsewhere.newState, ...there } },
    placed("delete", "old", "b.example"),
    placed("create", "three", "c.example", undefined, { adopt: true }),
    placed("delete", "four", "c.example"),
    placed("create", "five", "[secret]"),
    placed("delete", "six", "[secret]"),
    { ...left, op: "delete-replaced", oldState: { ...left.oldState, delete: true } },
    placed("create", "eight", "d.example"),
  ];
  expect((await said(steps, [])).out).toMatch(
    /^Websites and pixels: 4 websites lose their statistics; 5 deleted; 5 created\.\n/,
  );
});

test("a list shows what it gains and loses, and one address that many sites get is one row, whatever else they have", async () => {
  const office = Array.from({ length: 20 }, (_, at) => `203.0.113.${at}`);
  const steps = ["a", "b", "c"].map((name, at) => {
    const own = [...office, `192.0.2.${at}`];
    const after = ["198.51.100.8", ...own.toReversed().filter((ip) => ip !== "203.0.113.7")];
    return step("update", "Website", site(name, { excludeIps: own }), site(name, { excludeIps: after }));
  });
  const first = step("update", "Website", site("d"), site("d", { excludeIps: office }));
  const [spelled, spelling] = [["2001:DB8::1", "192.0.2.1"], ["2001:db8::1"]];
  const again = step(
    "update",
    "Website",
    site("e", { excludeIps: spelled }),
    site("e", { excludeIps: spelling }),
  );
  expect((await said([again], [])).out).toContain("website e: excludeIps - 192.0.2.1\n");
  const { out } = await said([...steps, first], []);
  expect(out.split("\n").slice(2, 4)).toEqual([
    "  3 websites: excludeIps + 198.51.100.8, - 203.0.113.7: a, b, c",
    `  website d: excludeIps (not managed) → ${JSON.stringify(office)}`,
  ]);
  const urn = "urn:pulumi:dev::made-up::x::drifted";
  const at = (excludeIps: string[]) => site("e", { excludeIps });
  const refreshed = step("refresh", "Website", at(["192.0.2.1"]), at(["192.0.2.1", "192.0.2.9"]), { urn });
  const undone = step("update", "Website", at(["192.0.2.1", "192.0.2.9"]), at(["192.0.2.1"]), { urn });
  // A list that was secret: what it was, nobody sees.
  const secret = step("refresh", "Website", site("e", { excludeIps: "[secret]" }), undefined, { urn });
  expect((await said([secret, undone], [])).out).toContain("  website e: excludeIps - 192.0.2.9\n");
  expect((await said([refreshed, undone], [])).out).toContain(
    'website e: excludeIps: someone set + 192.0.2.9, and "pulumi up" sets - 192.0.2.9\n',
  );
});

test("a new record shows what differs from the defaults, and neither these nor a password", async () => {
  const steps = [
    step("create", "Website", undefined, site("a.example", { emailReports: false, excludeBots: true })),
    step("create", "Website", undefined, {
      ...site("b.example", { password: "[secret]", emailReports: true, excludeBots: false }),
      privacy: "password",
      excludeIps: ["192.0.2.1"],
      excludeParams: [UNKNOWN],
    }),
    step("create", "Pixel", undefined, { name: "GA", type: "bing", value: "G-1" }),
  ];
  expect((await said(steps, [])).out.split("\n").slice(2, 5)).toEqual([
    '  website a.example: privacy "private"',
    '  website b.example: privacy "password"; password (secret); emailReports true; excludeBots false; excludeParams (known after up); excludeIps ["192.0.2.1"]',
    '  pixel GA: type "bing"; value "G-1"',
  ]);
});

test("names the policy that refuses, those that advise, and the resources; and every failed preview says that it failed", async () => {
  const policyEvent = (policyName: string, enforcementLevel: string, name: string) => {
    const resourceUrn = placed("create", name, "").urn;
    const message = `The page of "${name}.example" is public.\n`;
    return { policyEvent: { resourceUrn, message, policyName, policyPackName: "company", enforcementLevel } };
  };
  const events = [
    ...["b", "a"].map((name) => policyEvent("no-public", "mandatory", name)),
    policyEvent("reports", "advisory", "a"),
  ];
  const steps = ["a", "b"].map((name) => placed("create", name, `${name}.example`));
  const options = ["--", "--expect-no-changes"];
  const { out, error, status } = await said(steps, [], options, 1, events);
  expect([status, out]).toEqual([
    1,
    `Websites and pixels: the preview failed: a policy refuses it; 2 created.
Refused by policies:
  policy "no-public" of "company" on a, b: The page of "a.example" is public
Created:
  2 websites: privacy "private": a.example, b.example
Advised by policies:
  policy "reports" of "company" on a: The page of "a.example" is public
`,
  ]);
  expect(error).toBe(
    'error: A policy refuses the program, so "pulumi up" would fail.\nChange what it refuses, or ask whoever is responsible for the policy, and run this again.\n',
  );
  const advised = await said(steps, [], [], 0, events.slice(2));
  expect(advised.out).toMatch(/^Websites and pixels: 2 created\.\n.*\nAdvised by policies:\n/s);
  expect((await said(steps, [], [], 1)).out).toMatch(
    /^Websites and pixels: the preview failed; 2 created\.\n/,
  );
});

test("messages are alike if they name another record of their own, and not if they name another second one", async () => {
  const steps = ["a", "b", "c", "d"].map((name) => placed("create", name, `${name}.example`));
  const taken = (name: string, other: string) =>
    `website "${name}.example" has the domain of "${other}.example"`;
  const error = (name: string, other: string) => {
    return { severity: "error", message: taken(name, other), urn: placed("create", name, "").urn };
  };
  const errors = [error("a", "c"), error("b", "c"), error("a", "d")];
  const { out } = await said(steps, [...errors, taken("b", "d"), taken("a", "d"), taken("b", "c")], [], 255);
  const withIds = ["a", "b"].map((name) => {
    const { urn, ...made } = placed("delete", name, `${name}.example`);
    return { ...made, urn, oldState: { ...made.oldState, id: `${name}7` } };
  });
  // Their first line is that of all of them.
  const gone = (name: string, why: string) => `website "${name}.example" (id ${name}7) is gone\n${why}`;
  const two = await said(withIds, [gone("a", "by hand"), gone("b", "by hand"), gone("a", "by a script")]);
  expect(two.out.split("Messages:\n")[1]).toBe(`  website "a.example" (id a7) is gone
    by hand
    2 times: a, b
  website "a.example" (id a7) is gone
    by a script
`);
  // Of a second resource, it says the same of "c", and not of itself.
  const urnOfD = placed("create", "d", "").urn;
  const ofOthers = ["c", "a"].map((name) => ({
    severity: "info",
    message: `as "${name}.example"`,
    urn: urnOfD,
  }));
  expect((await said(steps, ofOthers)).out.split("Messages:\n")[1]).toBe(
    '  as "c.example"\n  as "a.example"\n',
  );
  expect(out.split("Messages:\n")[1]).toBe(`  ${taken("a", "c")}
    2 times: a, b
  ${taken("a", "d")}
  ${taken("a", "d")}
    2 times: a, b
  ${taken("b", "c")}
`);
});

test("what the service does not have is no drift, and frames that come line by line are no messages", async () => {
  const known = site("n.example", { deletionProtection: false });
  const steps = [
    ofPlugin("refresh", "n", site("n.example"), site("n.example")),
    ofPlugin("update", "n", site("n.example"), known),
  ];
  const options = ["--", "--refresh", "--run-program", "--expect-no-changes"];
  const { out, error } = await said(steps, [], options, 7);
  expect(out).toMatch(/^Websites and pixels: 1 difference between the state and the program: /);
  expect(error).toBe(
    'error: The state differs from the program.\nRun "pulumi up" once, or correct the program.\n',
  );
  const lines = [
    "TypeError: code must be a string",
    "    at load (/p/a.js:1:7)",
    "    at node:internal/x:2:3",
  ];
  const messages = lines.map((message) => ({ severity: "info#err", message: `${message}\n` }));
  expect((await said([], messages, [], 255)).out).toContain(
    "Messages:\n  TypeError: code must be a string\n",
  );
  expect((await said([], messages, [], 255)).out).not.toContain("    at ");
});

test("a delete or a replacement that the engine refuses is not called a loss", async () => {
  const gone = placed("delete", "a", "a.example");
  const errors = [{ severity: "error", message: "it is protected", urn: gone.urn }];
  const { out } = await said([gone, placed("delete", "b", "b.example")], errors, [], 255);
  expect(out).toContain(
    'website a.example: "pulumi up" will refuse it, by protect\n  website b.example: its statistics are deleted\n',
  );
});
