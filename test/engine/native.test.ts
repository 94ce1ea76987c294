import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { IGNORE_PROTECTION } from "../../provider/config";
import { ROOT } from "../../tools/root.mjs";
import { declare, KEY, line, literal, useHarness } from "./harness";
import { installed } from "./importing";
import { descendants, endAll, isRunning, providersOf } from "./processes";

const world = useHarness({}, "native");

const shop = { domain: "shop.example.com", excludeIps: ["192.0.2.1", "192.0.2.2"] };
const pixel = { name: "GA", type: "google-analytics", value: "G-1" };

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
    await world.expectNoDiff();
  });

  it("keeps a website of another language also with --ignore-protect, and not one of a class, which only Pulumi protects", async ({
    skip,
  }) => {
    const { output } = await world.run(["up", "--help"]);
    skip(!output.includes("--ignore-protect"), "this engine does not have the option yet");
    await world.program(
      declare("Website", "shop", shop) +
        `new pulumi.CustomResource("tracking:index:Website", "blog", { domain: "blog.example.com" }, { protect: true });`,
    );
    await world.up();
    await world.program("");
    for (const command of ["up", "destroy"]) {
      const refused = await world.fail([command, "--yes", "--skip-preview", "--ignore-protect"]);
      expect(refused.output).toContain(`${IGNORE_PROTECTION}=true`);
    }
    expect(world.service.websites().map(({ domain }) => domain)).toEqual(["blog.example.com"]);
    await world.destroy({ args: ["--ignore-protect"], env: { [IGNORE_PROTECTION]: "true" } });
    expect(await world.resources()).toEqual({});
  });

  it("shows what protects a website of another language and what no longer does, and changes nothing in a night without a change", async () => {
    const site = (name: string, args = {}) =>
      `new pulumi.CustomResource("tracking:index:Website", "${name}", ${literal({ domain: `${name}.example.com`, ...args })});\n`;
    const said = async (args: string[], expected = 0) => {
      const { code, stdout, stderr } = await installed(world, ["preview", ...args]).finished;
      expect(code, stderr).toBe(expected);
      return stdout;
    };
    const nightly = ["--", "--refresh", "--run-program", "--expect-no-changes"];
    const NONE = "Websites and pixels: no changes.\n";
    const lifted = { deletionProtection: false };
    world.service.seed({ websites: [{ ...ours("found.example.com"), id: 7 }], pixels: [] });
    const unprotected = ["--yes", "--protect=false", "--generate-code=false"];
    await world.run(["import", "tracking:index:Website", "found", "7", ...unprotected]);
    await world.program(site("made") + site("found"));
    await world.up();
    expect(await said(nightly)).toBe(NONE);
    for (const name of ["made", "found"]) {
      await world.program(["made", "found"].map((each) => site(each, each === name ? lifted : {})).join(""));
      expect(await said([])).toBe(
        `Websites and pixels: 1 no longer protected.\nNo longer protected:\n  website ${name}.example.com: deletionProtection true → false\n`,
      );
    }
    await world.program(site("made"));
    expect(await said([])).toContain(
      'website found.example.com: "pulumi up" will refuse it, by deletionProtection\n',
    );
    expect((await world.fail(["up", "--yes", "--skip-preview"])).written).toEqual([]);
    await world.program(site("made") + site("found", lifted));
    expect((await world.up()).written).toEqual([]);
    expect((await world.resource("found")).outputs).toMatchObject(lifted);
    expect(await said(nightly)).toBe(NONE);
    await world.program(site("made"));
    expect(await said([])).toContain("website found.example.com: its statistics are deleted\n");
    expect((await world.up()).written.map(line)).toEqual(["DELETE /api/v1/websites/7"]);

    const { id = "" } = await world.resource("made");
    await world.run(["import", "tracking:index:Website", "twin", id, ...unprotected]);
    expect(await said([])).toContain('website made.example.com: stays: "made" has it\n');
    expect((await world.up()).written).toEqual([]);
    expect(Object.keys(await world.resources())).toEqual(["made"]);
  });

  it("keeps the statistics of websites whose lines are gone, whatever is left of the program, and shows no difference of what a program omits or an SDK fills in, and advises by the command that ran", async () => {
    const declared = (name: string, args = {}) =>
      `new pulumi.CustomResource("tracking:index:Website", "${name}", ${literal({ domain: `${name}.example.com`, ...args })});\n`;
    // A program in YAML gives what it has; the SDK of Python fills in the schema's defaults.
    const defaults = { privacy: "private", emailReports: false, excludeBots: true };
    const both = declared("shop") + declared("blog", { ...defaults, adopt: false, deletionProtection: true });
    await world.program(both);
    await world.up();
    expect((await world.resource("shop")).inputs).toEqual({ domain: "shop.example.com" });
    await world.refresh();
    const again = ["up", "--refresh", "--run-program", "--yes", "--skip-preview"];
    const { output, written } = await world.run(again);
    expect(output).not.toContain("[diff");
    expect(written).toEqual([]);

    const refusal = (name: string) => {
      const what = `website "${name}.example.com"`;
      return new RegExp(
        `${what} is protected[^\\n]*\\n *To keep ${what}, put its lines back[^\\n]*\\n *To delete it`,
      );
    };
    const lookup = `pulumi.runtime.invoke("tracking:index:getWebsites", {});\n`;
    for (const left of ["", lookup]) {
      await world.program(left);
      const several = await world.fail(["up", "--yes", "--skip-preview"]);
      for (const name of ["shop", "blog"]) expect(several.output).toMatch(refusal(name));
      expect(several.written).toEqual([]);
    }
    await world.program(both);
    await world.expectNoChange();
    await world.program(declared("shop"));
    await world.up({ env: { [IGNORE_PROTECTION]: "true" } });
    await world.program("");
    const one = await world.fail(["up", "--yes", "--skip-preview"]);
    expect(one.output).toMatch(refusal("shop"));
    expect(world.service.websites().map(({ domain }) => domain)).toEqual(["shop.example.com"]);

    await world.program(both);
    await world.configureHere({ url: world.service.url, key: "key-of-nobody" });
    const refused = await world.fail(["refresh", "--run-program", "--yes", "--skip-preview"]);
    expect(refused.output).toMatch(/^ *Check tracking:apiKey$/m);
  });

  it("creates, shows which arguments differ, updates, refreshes and deletes", async () => {
    await world.program(
      declare("Website", "shop", { ...shop, privacy: "password", password: "pass word" }) +
        declare("Pixel", "ga", pixel) +
        `tracking.getWebsites().then((all) => console.log("there are " + all.length));`,
    );
    await world.up();
    expect(world.website("shop.example.com")).toMatchObject({ privacy: 2, password: "pass word" });
    expect(world.pixel("GA")).toMatchObject({ value: "G-1" });
    const { id, outputs } = await world.resource("shop");
    expect(id).toBe(String(world.website("shop.example.com").id));
    expect(outputs).not.toHaveProperty("__provider");
    expect(JSON.stringify(await world.state())).not.toContain("pass word");

    const moved = { domain: "SHOP.example.com.", excludeIps: ["192.0.2.3", "192.0.2.2", "192.0.2.1"] };
    await world.program(
      declare("Website", "shop", moved, { protect: false }) + declare("Pixel", "ga", pixel),
    );
    const { stdout } = await world.preview({ args: ["--diff"] });
    expect(stdout).toMatch(/~ excludeIps/);
    expect(stdout).toContain('"192.0.2.3"');
    expect(stdout).not.toContain("SHOP");
    const { written } = await world.up();
    expect(written.map(({ method }) => method)).toEqual(["PUT"]);

    world.service.seed({
      websites: [{ ...world.website("shop.example.com"), privacy: 0 }],
      pixels: [],
    });
    await world.refresh();
    expect(Object.keys(await world.resources())).toEqual(["shop"]);
    expect((await world.resource("shop")).outputs).toMatchObject({ privacy: "public" });
    await world.destroy();
    expect(world.service.websites()).toEqual([]);
  });

  it("imports what exists by the engine's own option", async () => {
    world.service.seed({ websites: [ours("shop.example.com")], pixels: [] });
    const id = String(world.website("shop.example.com").id);
    const args = literal({ domain: "shop.example.com" });
    await world.program(`new tracking.Website("shop", ${args}, { import: ${literal(id)} });`);
    expect((await world.up()).written).toEqual([]);
    expect(await world.resource("shop")).toMatchObject({ id });
    await world.expectNoChange();
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
