import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { declare, useHarness } from "./harness";
import { installed } from "./importing";

const world = useHarness();

const SITES = `# Our sites. Ask Ada before you change one.
lists:
  office: [192.0.2.1, 192.0.2.2] # both floors
  home:
    - 198.51.100.1 # Ada
    - 198.51.100.2
defaults:
  websites: { emailReports: true, options: { protect: false } }

websites:
  # The shop.
  quoted:
    domain:   'quoted.example.com'   # kept
    privacy: "public" # marketing wants it
  omitted: { domain: omitted.example.com }
  preset:
    domain: preset.example.com
    privacy: public # for now
    excludeBots: true
  quiet: { domain: quiet.example.com, excludeBots: true }
  bots: { domain: bots.example.com,  excludeBots: true } # two blanks
  lines:
    domain: lines.example.com
    excludeIps:
      - 203.0.113.1 # door
      - 203.0.113.2
  floor-1: { domain: floor-1.example.com, excludeIps: [office, 203.0.113.9] }
  floor-2: { domain: floor-2.example.com, excludeIps: office }
  ada: { domain: ada.example.com, excludeIps: [home] }
  bob: { domain: bob.example.com, excludeIps: [home] }
  emptied: { domain: emptied.example.com, excludeIps: [203.0.113.7] }
  # Ask Bob.
  gone: { domain: gone.example.com } # soon
  contested: { domain: contested.example.com, privacy: private }
  untouched: { domain: Untouched.Example.com, privacy: password, password: { config: word } }
  opened: { domain: opened.example.com, privacy: password, password: { config: word } }
`;
const OPENED = "opened.example.com, privacy: public";
const CONTESTED = "contested.example.com, privacy: private";
const PIXELS = `pixels:
  named: { name: Named, type: bing, value: AW-1 }
  valued:
    name: Valued
    type: bing # for now
    value: AW-1
`;
const SITES_AFTER = SITES.replace('"public" # marketing', '"password" # marketing')
  .replace("{ domain: omitted.example.com }", "{ domain: omitted.example.com, privacy: public }")
  .replace("    privacy: public # for now\n", "    # for now\n")
  .replace("quiet.example.com, excl", "quiet.example.com, emailReports: false, excl")
  .replace("bots.example.com,  excludeBots: true", "bots.example.com,  excludeBots: false")
  .replace(
    "      - 203.0.113.1 # door\n      - 203.0.113.2\n",
    "      # door\n      - 203.0.113.2\n      - 2001:db8::/32\n",
  )
  .replace("[192.0.2.1, 192.0.2.2]", "[192.0.2.2, 192.0.2.3]")
  .replace("ada.example.com, excludeIps: [home]", "ada.example.com, excludeIps: [198.51.100.2]")
  .replace("[203.0.113.7]", "[]")
  .replace("opened.example.com, privacy: password", OPENED);
const PIXELS_AFTER = PIXELS.replace("name: Named", "name: Named anew")
  .replace("bing # for now", "quora # for now")
  .replace("    value: AW-1", '    value: "007"');

const file = (name: string) => join(world.project.folder, "program", name);
const text = (name: string) => readFile(file(name), "utf8");
const accept = (...args: string[]) => installed(world, ["accept", ...args]).finished;

const ONE = "websites: { one: { domain: one.example.com, options: { protect: false } } }\n";
const TWO = ONE.replaceAll("one", "two");
const program = (privacy: string) => `tracking.declareFrom("tracking");
tracking.declareFrom(["one.yaml", "two.yaml"]);
${declare("Website", "coded", { domain: "coded.example.com", privacy }, { protect: false })}`;

/** In `test/cli/accept` are the diff, what can't be written, and what is selected. */
it("what someone changed, made and deleted on the service is accepted into the files that declare it: all other bytes stay, and then nothing differs", async () => {
  const { service } = world;
  await world.set("word", "canary-of-the-password");
  await rm(join(world.project.folder, "program"), { recursive: true });
  const files = { "tracking/sites": SITES, "tracking/pixels": PIXELS, one: ONE, two: TWO };
  for (const [name, text] of Object.entries(files)) await world.project.write(`program/${name}.yaml`, text);
  await world.program(program("private"));
  await world.up();

  // The program is changed too, before the next up.
  const sites = SITES.replace(CONTESTED, CONTESTED.replace("private", "password"));
  await world.project.write("program/tracking/sites.yaml", sites);
  // Changes of each kind, a record that is gone, and two that are new.
  const edit = (name: string, columns: object) =>
    void service.editWebsite(world.website(`${name}.example.com`).id, columns);
  edit("quoted", { privacy: 2, password: "canary-of-theirs" });
  edit("omitted", { privacy: 0 });
  edit("preset", { privacy: 1 });
  edit("quiet", { email: 0 });
  edit("bots", { exclude_bots: 0 });
  edit("lines", { exclude_ips: "203.0.113.2\n2001:db8::/32" });
  edit("floor-1", { exclude_ips: "192.0.2.2\n192.0.2.3\n203.0.113.9" });
  edit("floor-2", { exclude_ips: "192.0.2.3\n192.0.2.2" });
  edit("ada", { exclude_ips: "198.51.100.2" });
  edit("emptied", { exclude_ips: "" });
  edit("coded", { privacy: 0 });
  edit("contested", { privacy: 0 });
  edit("opened", { privacy: 0, password: null });
  edit("one", { privacy: 0 });
  service.editPixel(world.pixel("Named").id, { name: "Named anew" });
  service.editPixel(world.pixel("Valued").id, { type: "quora", value: "007" });
  service.deleteWebsite(world.website("gone.example.com").id);
  service.insertWebsite({ domain: "made.example.com", privacy: 0 });
  service.insertWebsite({ domain: "secret.example.com", privacy: 2, password: "canary-of-another" });
  const stored = JSON.stringify([service.websites(), service.pixels()]);
  service.clearRequests();

  // The files, and nothing on the service.
  const applied = await accept("--deleted", "--new", "program/tracking/new.yaml", "--apply");
  expect(applied.code, applied.stderr).toBe(1);
  expect(applied.stdout).not.toContain("@@");
  const accepted = SITES_AFTER.replace(/ {2}# Ask Bob\.\n {2}gone: .* # soon\n/, "");
  expect(await text("tracking/sites.yaml")).toBe(
    accepted.replace(CONTESTED, CONTESTED.replace("private", "password")),
  );
  expect(await text("tracking/pixels.yaml")).toBe(PIXELS_AFTER);
  expect([await text("one.yaml"), await text("two.yaml")]).toEqual([
    ONE.replace("one.example.com", "$&, privacy: public"),
    TWO,
  ]);
  // Else the defaults of the folder would turn its reports on.
  expect(await text("tracking/new.yaml")).toMatch(/domain: made.example.com\n +emailReports: false\n/);
  expect(JSON.stringify([service.websites(), service.pixels()])).toBe(stored);
  expect([...new Set(service.requests().map(({ method }) => method))]).toEqual(["GET"]);

  // What is left, as the lines say. Then nothing differs.
  for (const line of [
    'website "coded": set privacy: "public" in the program.\n',
    'website "contested": set privacy: "public" there, or "pulumi up" sets "password": both sides changed it.\n',
    'website "opened": remove password there.\n',
    'new.yaml: website "secret-example-com": until it is imported, a preview needs "password: { config: NAME }" there.\n',
    'new.yaml is new: run "npx pulumi-tracking import --declared --apply" before',
  ])
    expect(applied.stdout).toContain(line);
  expect(applied.stdout + applied.stderr).not.toContain("canary");
  await world.program(program("public"));
  await world.project.write(
    "program/tracking/sites.yaml",
    accepted
      .replace(CONTESTED, CONTESTED.replace("private", "public"))
      .replace(`${OPENED}, password: { config: word }`, OPENED),
  );
  // The file of new records is left out: `import-declared.test.ts` imports such a file.
  await rm(file("tracking/new.yaml"));
  // The state has what is gone until the next up with a refresh.
  const others = ["gone.*", "made.*", "secret.*"].flatMap((name) => ["--exclude", name]);
  expect(await accept(...others)).toMatchObject({
    code: 0,
    stdout: "Nothing to accept: the service has what the program declares.\n",
  });
});
