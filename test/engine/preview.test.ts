import { expect, it } from "vitest";
import { declare, literal, stackOf, useHarness } from "./harness";
import { installed } from "./importing";
import { policyPack } from "./policy-pack";

const world = useHarness();

const site = (name: string, args = {}, opts = {}) =>
  declare("Website", name, { domain: `${name}.example.com`, ...args }, opts);

/** What the installed command says, which ends with this code. */
async function said(args: string[] = [], expected = 0, env: NodeJS.ProcessEnv = {}): Promise<string> {
  world.service.clearRequests();
  const { code, stdout, stderr } = await installed(world, ["preview", ...args], { env }).finished;
  expect(code, stderr).toBe(expected);
  expect(world.service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  return stdout;
}

/** The lines of a part. */
const part = (title: string, text: string) =>
  new RegExp(`^${title}:\n((?:  .*\n)*)`, "m").exec(text)?.[1]?.replace(/^ {2}(warning: )?/gm, "") ?? "";

const OPEN = { protect: false };
const SECRET = { privacy: "password", password: "first-secret" };
const OFFICE = Array.from({ length: 20 }, (_, at) => `203.0.113.${at}`);
const SHOPS = ["shop-1", "shop-2", "shop-3"];
const shopArgs = (at: number) => ({ excludeIps: [...OFFICE, `192.0.2.${at}`] });
const shops = (...more: string[]) =>
  SHOPS.map((name, at) => site(name, { excludeIps: [...shopArgs(at).excludeIps, ...more] })).join("");
const pixel = (name: string, shown = "GA", opts = {}) =>
  declare("Pixel", name, { name: shown, type: "google-analytics", value: "G-1" }, opts);

/** What no test changes in the program. */
const kept = site("edited") + site("lost");
const changing =
  site("opened", { excludeIps: ["192.0.2.1"] }) +
  site("deleted", {}, OPEN) +
  site("moved", {}, OPEN) +
  site("freed") +
  site("closed", SECRET);
const named = site("help") + pixel("ga");
const BEFORE = kept + changing + shops() + named;

const begin = stackOf(world, BEFORE);

/** `test/cli` has every word of the steps; here, what the engine, the provider and policies make of a change. */
it("shows what a change does, what policies refuse and advise, and quotes what the provider says of it and of what someone changed meanwhile", async () => {
  await begin();
  world.service.seed({
    websites: [...world.service.websites(), { domain: "adopted.example.com", privacy: 1, exclude_bots: 1 }],
  });
  const after =
    kept +
    shops("198.51.100.8") +
    named +
    site("opened", { privacy: "public", excludeIps: [] }) +
    site("freed", {}, OPEN) +
    site("moved", { domain: "new.example.com" }, OPEN) +
    site("closed", { ...SECRET, password: "second-secret" }) +
    site("adopted", { adopt: true, privacy: "public" }) +
    declare("Pixel", "odd", { name: "Odd", type: "bing", value: "a b" }) +
    'pulumi.log.warn("this program warns");\n';
  await world.program(after);
  const env = await policyPack(world, [
    { name: "no-public", level: "mandatory", argument: "privacy", value: "public", message: "It is public." },
    { name: "bing", level: "advisory", argument: "type", value: "bing", message: "It is old." },
  ]);
  const text = await said([], 1, env);
  const [steps = "", messages = ""] = text.split("Messages:\n");
  expect(
    steps,
  ).toBe(`Websites and pixels: the preview failed: a policy refuses it; 2 websites lose their statistics; 1 deleted; 1 replaced; 1 no longer protected; 5 changed; 2 created.
Refused by policies:
  policy "no-public" of "company" on adopted, opened: It is public
Deleted:
  website deleted.example.com: its statistics are deleted
Replaced:
  website moved.example.com: domain "moved.example.com" → "new.example.com"; its statistics are deleted
No longer protected:
  website freed.example.com: protect true → false
Changed:
  website closed.example.com: an option of its resource, or a secret
  website opened.example.com: privacy "private" → "public"; excludeIps ["192.0.2.1"] → []
  3 websites: excludeIps + 198.51.100.8: shop-1.example.com, shop-2.example.com, shop-3.example.com
Created:
  website adopted.example.com: privacy "public"; if one exists, it is adopted
  pixel Odd: type "bing"; value "a b"
Advised by policies:
  policy "bing" of "company" on odd: It is old
`);
  const id = world.website("adopted.example.com").id;
  for (const each of [
    "this program warns",
    // Of the adopted one too, which is private on the service.
    'website "adopted.example.com": its statistics page becomes public\\n +2 times: adopted, opened',
    'website "opened.example.com": its excludeIps.* will be emptied',
    'website "closed.example.com": its password changes',
    'website "moved.example.com": domain becomes "new.example.com"; to keep its statistics, declare a second website',
    `website "adopted.example.com" exists already .id ${id}. and will be adopted; what changes on it: privacy .now "private".`,
    'pixel "Odd": its value is not text of letters, digits, "-" and "_" only',
  ])
    expect(messages.match(new RegExp(each, "g")), each).toHaveLength(1);
  expect(text).not.toMatch(/(first|second)-secret/);

  await world.program(BEFORE);
  world.service.editWebsite(world.website("edited.example.com").id, { privacy: 0 });
  world.service.deleteWebsite(world.website("lost.example.com").id);
  const drifted = await said(["--", "--refresh", "--run-program", "--expect-no-changes"], 7);
  expect(drifted).toMatch(
    /^Websites and pixels: 2 differences between the service and the program: 1 deleted on the service; 1 changed\.\n/,
  );
  expect(part("Changed", drifted)).toBe(
    'website edited.example.com: privacy: someone set "public", and "pulumi up" sets "private"\n',
  );
  expect(part("Deleted on the service", drifted)).toBe(
    'website lost.example.com: someone deleted it, and "pulumi up" creates it, without its statistics\n',
  );
  expect(part("Messages", drifted)).not.toMatch(/no changes were expected/);
  expect(part("Messages", drifted)).toMatch(
    /"lost.example.com" .* is gone from the service\. .*without its statistics/,
  );
});

/** Shops in a component. */
const grouped = (opts: string) =>
  `class Shops extends pulumi.ComponentResource {
  constructor() {
    super("my:index:Shops", "shops");
    for (const [name, args] of ${literal(SHOPS.map((name, at) => [name, shopArgs(at)]))})
      new tracking.Website(name, { domain: name + ".example.com", ...args }, { parent: this, ${opts} });
  }
}
new Shops();
`;

it("tells what is renamed or moved without an alias as that, also after a refresh, and what it advises leaves only another domain and name, which ask the service nothing, so a pull request needs no key that works", async () => {
  await begin();
  const support = (opts = {}) => declare("Website", "support", { domain: "help.example.com" }, opts);
  await world.program(kept + changing + grouped("") + support() + pixel("analytics"));
  const text = await said([], 1, { PULUMI_OPTION_REFRESH: "true" });
  expect(text).toMatch(/^Websites and pixels: the preview failed; 5 renamed or moved without an alias\.\n/);
  expect(part("Renamed or moved without an alias", text)).toMatch(
    /^Pulumi deletes .* in aliases: see "Renaming a resource" in .*\npixel GA: "ga" before, now "analytics"\nwebsite help\.example\.com: "help" before, now "support"\n3 websites: without a parent before, now in "shops": shop-1\.example\.com, .*\n$/,
  );
  expect(text).not.toMatch(/^(Deleted|Created)/m);
  // Pulumi says it of each website that it protects.
  expect(text.match(/pulumi state unprotect/g) ?? []).toHaveLength(1);

  await world.program(
    kept +
      changing.replace("moved.example.com", "new.example.com") +
      grouped("aliases: [{ parent: pulumi.rootStackResource }]") +
      support({ aliases: [{ name: "help" }] }) +
      pixel("analytics", "GB", { aliases: [{ name: "ga" }] }),
  );
  await world.configureHere({ url: world.service.url });
  const aliased = await said([], 0, { TRACKING_API_KEY: "not-used" });
  expect(world.service.requests()).toEqual([]);
  expect(aliased).toMatch(/^Websites and pixels: 1 website loses its statistics; 1 replaced; 1 changed\.\n/);
  expect(part("Replaced", aliased)).toMatch(/^website moved\.example\.com: domain /);
  expect(part("Changed", aliased)).toBe('pixel GB: name "GA" → "GB"\n');
});
