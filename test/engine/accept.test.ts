import { existsSync } from "node:fs";
import { chmod, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { declare, stackOf, useHarness } from "./harness";
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
  gone: { domain: gone.example.com, options: { protect: true } } # soon
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

const made = stackOf(world, () => program("private"));

/** All that the files declare is in the stack, and the service has it so. */
async function begin(): Promise<void> {
  await rm(join(world.project.folder, "program"), { recursive: true });
  const files = { "tracking/sites": SITES, "tracking/pixels": PIXELS, one: ONE, two: TWO };
  for (const [name, text] of Object.entries(files)) await world.project.write(`program/${name}.yaml`, text);
  await made();
  world.service.clearRequests();
}

beforeAll(() => world.set("word", "canary-of-the-password"));

it("what someone changed, made and deleted on the service is accepted into the files that declare it: all other bytes stay, and then nothing differs", async () => {
  const { service } = world;
  await begin();
  const unchanged = await accept();
  expect(unchanged).toMatchObject({
    code: 0,
    stdout: "Nothing to accept: the service has what the program declares.\n",
  });

  // The program is changed too, before the next up.
  const sites = SITES.replace(CONTESTED, CONTESTED.replace("private", "password"));
  await world.project.write("program/tracking/sites.yaml", sites);
  // Twelve kinds of changes, a record that is gone, and one that is new.
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
  service.editPixel(world.pixel("Named").id, { name: "Named anew" });
  service.editPixel(world.pixel("Valued").id, { type: "quora", value: "007" });
  service.deleteWebsite(world.website("gone.example.com").id);
  service.insertWebsite({ domain: "made.example.com", privacy: 0 });
  service.insertWebsite({ domain: "secret.example.com", privacy: 2, password: "canary-of-another" });
  const stored = JSON.stringify([service.websites(), service.pixels()]);
  service.clearRequests();

  // Without --apply: the diff, what is left to a person, and status 1.
  const planned = await accept();
  expect(planned.code, planned.stderr).toBe(1);
  expect(planned.stdout).toContain(
    "--- a/program/tracking/sites.yaml\n+++ b/program/tracking/sites.yaml\n@@ ",
  );
  expect(planned.stdout).toContain('\n-    privacy: "public" # marketing wants it\n');
  expect(planned.stdout).toContain('\n+    privacy: "password" # marketing wants it\n');
  expect(planned.stdout).toContain('website "coded": set privacy: "public" in the program.\n');
  expect(planned.stdout).toMatch(
    /^program\/tracking\/sites.yaml:\d+: website "gone": someone deleted it: --deleted/m,
  );
  expect(planned.stdout).toContain(
    'website "contested": set privacy: "public" there, or "pulumi up" sets "password": both sides changed it.\n',
  );
  expect(planned.stdout).toContain(
    '2 websites are in no program of this stack: give --new FILE.yaml, or run "npx pulumi-tracking import --format yaml --only websites --out FILE.yaml".\n',
  );
  expect(planned.stdout + planned.stderr).not.toContain("canary");
  expect([await text("tracking/sites.yaml"), await text("tracking/pixels.yaml")]).toEqual([sites, PIXELS]);

  // With it: the files, and nothing on the service.
  const applied = await accept("--deleted", "--new", "program/tracking/new.yaml", "--apply");
  expect(applied.code, applied.stderr).toBe(1);
  expect(applied.stdout).not.toContain("@@");
  const accepted = SITES_AFTER.replace(/ {2}# Ask Bob\.\n {2}gone: .* # soon\n/, "");
  expect(await text("tracking/sites.yaml")).toBe(
    accepted.replace(CONTESTED, CONTESTED.replace("private", "password")),
  );
  expect(await text("tracking/pixels.yaml")).toBe(PIXELS_AFTER);
  // Else the defaults of the folder would turn its reports on.
  expect(await text("tracking/new.yaml")).toMatch(/domain: made.example.com\n +emailReports: false\n/);
  expect(JSON.stringify([service.websites(), service.pixels()])).toBe(stored);
  expect([...new Set(service.requests().map(({ method }) => method))]).toEqual(["GET"]);

  // What is left, as the lines say; then the service gets no write, and nothing differs.
  expect(applied.stdout).toContain(
    'new.yaml: website "secret-example-com": until it is imported, a preview needs "password: { config: NAME }" there.\n',
  );
  expect(applied.stdout).toContain(
    'new.yaml is new: run "npx pulumi-tracking import --declared --apply" before',
  );
  expect(applied.stdout).toContain('website "opened": remove password there.\n');
  await world.program(program("public"));
  await world.project.write(
    "program/tracking/sites.yaml",
    accepted
      .replace(CONTESTED, CONTESTED.replace("private", "public"))
      .replace(`${OPENED}, password: { config: word }`, OPENED),
  );
  // Before the import: what is protected and gone stops its preview, and so it would that of an up with a refresh.
  const { written } = await world.run(["refresh", "--run-program", "--yes", "--skip-preview"]);
  const imported = await installed(world, ["import", "--declared", "--apply"]).finished;
  expect(imported.stdout, imported.stderr).toContain("\n2 imported.");
  expect(imported.code, imported.stderr).toBe(0);
  expect(written).toEqual([]);
  expect(JSON.stringify([service.websites(), service.pixels()])).toBe(stored);
  expect(await accept()).toMatchObject({ code: 0, stdout: unchanged.stdout });
});

it("a file that can't be written is named, and no file is written in part", async () => {
  const { service } = world;
  await begin();
  for (const domain of ["one.example.com", "two.example.com"])
    service.editWebsite(world.website(domain).id, { privacy: 0 });
  await chmod(file("two.yaml"), 0o444);
  const refused = await accept("--apply");
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/program\/two\.yaml can't be written: it is read-only; nothing was written\./),
  ]);
  expect([await text("one.yaml"), await text("two.yaml")]).toEqual([ONE, TWO]);
  await chmod(file("two.yaml"), 0o644);

  // A link out of the project.
  const outside = join(world.project.root, "outside.yaml");
  await writeFile(outside, TWO);
  await rm(file("two.yaml"));
  await symlink(outside, file("two.yaml"));
  const linked = await accept("--apply");
  expect([linked.code, linked.stderr]).toEqual([
    1,
    expect.stringContaining("is not in the project; nothing was written"),
  ]);
  expect([await text("one.yaml"), await readFile(outside, "utf8")]).toEqual([ONE, TWO]);
  expect(existsSync(file(".accept"))).toBe(false);

  // Selected, the other file is written.
  const one = await accept("--match", "one.*", "--apply");
  expect(one, one.stderr).toMatchObject({ code: 0 });
  expect(await text("one.yaml")).toContain("domain: one.example.com, privacy: public, options");
});
