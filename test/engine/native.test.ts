import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { IGNORE_PROTECTION } from "../../provider/config";
import { ROOT } from "../../tools/root.mjs";
import { declare, KEY, line, literal, useHarness } from "./harness";
import { installed } from "./importing";
import { descendants, endAll, isRunning, providersOf } from "./processes";

const world = useHarness({}, "native");

const shop = { domain: "shop.example.com", excludeIps: ["192.0.2.1", "192.0.2.2"] };
const pixel = { name: "GA", type: "google-analytics", value: "G-1" };

const WEBSITE = "tracking:index:Website";

/** The statement that declares a website as other languages do, without our class. */
const site = (name: string, args: object = {}, opts: object = {}) =>
  `new pulumi.CustomResource("${WEBSITE}", "${name}", ${literal({ domain: `${name}.example.com`, ...args })}, ${literal(opts)});\n`;

/** A website as the service has it if the program sets only its domain. */
const ours = (domain: string) => ({ domain, privacy: 1, email: 0, exclude_bots: 1 });

/** An up that waits because the service asks for a pause of an hour. */
async function waitingUp() {
  await world.program(declare("Website", "shop", shop));
  await world.configureHere({
    url: world.service.url,
    key: "key-of-this-world",
    plain: { maxRetryWait: "7200" },
  });
  const match = { method: "POST", path: "/api/v1/websites", times: 0 };
  const reply = { status: 429, headers: { "retry-after": "3600" }, body: "" };
  world.service.addFault({ match, commit: "never", reply });
  world.service.clearRequests();
  const running = world.project.start(["up", "--yes", "--skip-preview"]);
  await world.service.waitFor(({ method }) => method === "POST");
  return running;
}

describe("the plugin", () => {
  it("takes arguments that are longer than gRPC's messages are by default", async () => {
    await world.program(
      `new tracking.Website("long", { domain: "long.example", excludeParams: ["p".repeat(5_000_000)] });`,
    );
    await world.up();
    expect(world.website("long.example").exclude_params).toHaveLength(5_000_000);
  });

  it("keeps the statistics of websites of other languages whose lines are gone, whatever is left of the program, also with --ignore-protect, which deletes those of a class", async () => {
    // Engines before 3.256 do not have the option.
    const isKnown = (await world.run(["up", "--help"])).output.includes("--ignore-protect");
    const ignoring = isKnown ? ["--ignore-protect"] : [];
    const names = ["shop", "blog"];
    const ofClass = isKnown ? declare("Website", "class", { domain: "class.example.com" }) : "";
    await world.program(names.map((name) => site(name, {}, { protect: isKnown })).join("") + ofClass);
    await world.up();

    const lookup = `pulumi.runtime.invoke("tracking:index:getWebsites", {});\n`;
    for (const left of [lookup, ""]) {
      await world.program(left);
      const { output } = await world.fail([
        "up",
        "--yes",
        "--skip-preview",
        "--continue-on-error",
        ...ignoring,
      ]);
      for (const name of names) {
        const what = `website "${name}.example.com"`;
        expect(output).toMatch(
          new RegExp(
            `${what} is protected[^\\n]*\\n *To keep ${what}, put its lines back[^\\n]*\\n *To delete it[^\\n]*${IGNORE_PROTECTION}=true`,
          ),
        );
      }
      const domains = world.service.websites().map(({ domain }) => domain);
      expect(domains.sort()).toEqual(["blog.example.com", "shop.example.com"]);
    }
    await world.destroy({ args: ignoring, env: { [IGNORE_PROTECTION]: "true" } });
    expect([world.service.websites(), await world.resources()]).toEqual([[], {}]);
  });

  it("shows what protects a website of another language and what no longer does, and changes nothing in a night without a change, whether a program omits the defaults or an SDK fills them in", async () => {
    const said = async (args: string[] = []) => {
      const { code, stdout, stderr } = await installed(world, ["preview", ...args]).finished;
      expect(code, stderr).toBe(0);
      return stdout;
    };
    const nightly = ["--", "--refresh", "--run-program", "--expect-no-changes"];
    const NONE = "Websites and pixels: no changes.\n";
    const lifted = { deletionProtection: false };
    const imports = (name: string, id: string) =>
      world.run(["import", WEBSITE, name, id, "--yes", "--protect=false", "--generate-code=false"]);
    // A program in YAML gives what it has; the SDK of Python fills in the schema's defaults.
    const defaults = { privacy: "private", emailReports: false, excludeBots: true };
    const made = (args = {}) =>
      site("made", { ...defaults, adopt: false, deletionProtection: true, ...args });
    world.service.seed({ websites: [{ ...ours("found.example.com"), id: 7 }], pixels: [] });
    await imports("found", "7");
    await world.program(made() + site("found") + site("bare"));
    await world.up();
    expect((await world.resource("bare")).inputs).toEqual({ domain: "bare.example.com" });
    expect(await said(nightly)).toBe(NONE);
    await world.program(made(lifted) + site("found", lifted) + site("bare"));
    expect(await said()).toBe(
      "Websites and pixels: 2 no longer protected.\nNo longer protected:\n  2 websites: deletionProtection true → false: found.example.com, made.example.com\n",
    );

    await imports("twin", (await world.resource("made")).id ?? "");
    await world.program(made() + site("bare"));
    const refused = await said();
    expect(refused).toContain(
      'website found.example.com: "pulumi up" will refuse it, by deletionProtection\n',
    );
    expect(refused).toContain('website made.example.com: stays: "made" has it\n');
    expect((await world.fail(["up", "--yes", "--skip-preview"])).written).toEqual([]);
    await world.program(made() + site("found", lifted) + site("bare"));
    expect((await world.up()).written).toEqual([]);
    expect((await world.resource("found")).outputs).toMatchObject(lifted);
    expect(await said(nightly)).toBe(NONE);
    await world.program(made() + site("bare"));
    expect(await said()).toContain("website found.example.com: its statistics are deleted\n");
    expect((await world.up()).written.map(line)).toEqual(["DELETE /api/v1/websites/7"]);
    expect(Object.keys(await world.resources()).sort()).toEqual(["bare", "made"]);
  });

  it("creates, imports what exists by the engine's own option, shows which arguments differ, updates and refreshes", async () => {
    world.service.seed({ websites: [{ ...ours("found.example.com"), id: 7 }], pixels: [] });
    const found =
      'new tracking.Website("found", { domain: "found.example.com" }, { import: "7", protect: false });\n';
    await world.program(
      declare("Website", "shop", { ...shop, privacy: "password", password: "pass word" }) +
        declare("Pixel", "ga", pixel) +
        found +
        `tracking.getWebsites().then((all) => console.log("there are " + all.length));`,
    );
    const made = await world.up();
    expect(made.output).toMatch(/there are [12]/);
    expect(made.written.map(line).sort()).toEqual(["POST /api/v1/pixels", "POST /api/v1/websites"]);
    expect(await world.resource("found")).toMatchObject({ id: "7" });
    expect(world.website("shop.example.com")).toMatchObject({ privacy: 2, password: "pass word" });
    expect(world.pixel("GA")).toMatchObject({ value: "G-1" });
    const { id, outputs } = await world.resource("shop");
    expect(id).toBe(String(world.website("shop.example.com").id));
    expect(outputs).not.toHaveProperty("__provider");
    expect(JSON.stringify(await world.state())).not.toContain("pass word");

    const moved = { domain: "SHOP.example.com.", excludeIps: ["192.0.2.3", "192.0.2.2", "192.0.2.1"] };
    await world.program(
      declare("Website", "shop", moved, { protect: false }) + declare("Pixel", "ga", pixel) + found,
    );
    const { stdout, written } = await world.up({ args: ["--diff"] });
    expect(stdout).toMatch(/~ excludeIps/);
    expect(stdout).toContain('"192.0.2.3"');
    expect(stdout).not.toContain("SHOP");
    expect(written.map(line)).toEqual([`PUT /api/v1/websites/${id}`]);

    world.service.seed({
      websites: [{ ...world.website("shop.example.com"), privacy: 0 }, world.website("found.example.com")],
      pixels: [],
    });
    await world.refresh();
    expect(Object.keys(await world.resources()).sort()).toEqual(["found", "shop"]);
    expect((await world.resource("shop")).outputs).toMatchObject({ privacy: "public" });
  });

  it("ends a pause at Ctrl-C, with a state that has what the service has", async () => {
    const running = await waitingUp();
    running.stop("SIGINT");
    const { code } = await running.finished;
    expect(code).not.toBe(0);
    expect(world.service.websites()).toEqual([]);
    expect(await world.resources()).toEqual({});
  });

  it("leaves no process behind where the engine is killed", async () => {
    const running = await waitingUp();
    const { pid = 0 } = running;
    const plugins = providersOf(pid);
    const all = descendants(pid).map((each) => each.pid);
    running.stop("SIGKILL");
    await running.finished;
    await expect.poll(() => plugins.filter(isRunning), { timeout: 600_000 }).toEqual([]);
    endAll(all);
    await world.unlock();
  });

  it("has a schema that the engine checks without a finding", async () => {
    const { output } = await world.run(["schema", "check", join(ROOT, "schema.json")]);
    expect(output.trim()).toBe("");
  });

  it("reads a record without a program", async () => {
    world.service.seed({ websites: [{ ...ours("shop.example.com"), id: 5 }], pixels: [] });
    // `do` does not look where the project says that plugins are.
    const settings = await readFile(join(world.project.folder, "Pulumi.yaml"), "utf8");
    onTestFinished(() => world.project.write("Pulumi.yaml", settings));
    await world.project.write("Pulumi.yaml", "name: fresh\nruntime: nodejs\n");
    const file = join(
      world.project.folder,
      "node_modules/pulumi-tracking/dist/plugin/pulumi-resource-tracking.js",
    );
    await world.run(["plugin", "install", "resource", "tracking", "0.1.0", "--file", file]);
    const env = { TRACKING_API_KEY: KEY, TRACKING_ANALYTICS_BASE_URL: world.service.url };
    const read = ["do", "--stateless", "tracking:index:Website", "read", "5"];
    const { output, sent } = await world.run(read, { env });
    expect(output).toContain("shop.example.com");
    expect(sent.map(line)).toEqual(["GET /api/v1/websites/5"]);
  });
});
