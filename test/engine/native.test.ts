import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { IGNORE_PROTECTION } from "../../provider/config";
import { ensureEngine } from "../../tools/engine/setup.mjs";
import { ROOT } from "../../tools/root.mjs";
import { declare, KEY, line, literal, type Ran, useHarness } from "./harness";
import { installed } from "./importing";
import { descendants, endAll, isRunning, providersOf } from "./processes";
import { type Story, together } from "./stories";

const world = useHarness({}, "native");

const YES = ["--yes", "--skip-preview"];
const WEBSITE = "tracking:index:Website";

/** The statement that declares a website as other languages do, without our class. */
const site = (name: string, args: object = {}, opts: object = {}) =>
  `new pulumi.CustomResource("${WEBSITE}", "${name}", ${literal({ domain: `${name}.example.com`, ...args })}, ${literal(opts)});\n`;

/** A website as the service has it if the program sets only its domain. */
const ours = (domain: string) => ({ domain, privacy: 1, email: 0, exclude_bots: 1 });

/** An up that waits because the service asks for a pause of an hour. */
async function waitingUp(args: object = {}) {
  await world.program(declare("Website", "shop", { domain: "shop.example.com", ...args }));
  await world.configureHere({
    url: world.service.url,
    key: KEY,
    plain: { maxRetryWait: "7200" },
  });
  const match = { method: "POST", path: "/api/v1/websites", times: 0 };
  const reply = { status: 429, headers: { "retry-after": "3600" }, body: "" };
  world.service.addFault({ match, commit: "never", reply });
  world.service.clearRequests();
  const running = world.project.start(["up", ...YES]);
  await world.waitFor(running, ({ method }) => method === "POST");
  return running;
}

/** What the plain preview of `pulumi-tracking preview` says of it. */
const UNCHANGED = "Websites and pixels: no changes.\n";

/** What no class protects, the plugin does, whatever is left of the program, also with --ignore-protect, which deletes those of a class. */
async function* gone(isKnown: boolean): Story {
  const names = ["shop", "blog"];
  const sites = names.map((name) => site(name, {}, { protect: isKnown })).join("");
  yield ["first", sites + (isKnown ? declare("Website", "class", { domain: "class.example.com" }) : "")];
  const expectKept = ({ output }: Ran, deletes: string) => {
    for (const name of names) {
      const what = `website "${name}.example.com"`;
      expect(output).toMatch(
        new RegExp(
          `${what} is protected[^\\n]*\\n *To keep ${what}, put its lines back[^\\n]*\\n *To delete it, ${deletes}`,
        ),
      );
    }
    const domains = world.service.websites().map(({ domain }) => domain);
    expect(domains).toEqual(expect.arrayContaining(["blog.example.com", "shop.example.com"]));
    expect(domains).not.toContain("class.example.com");
  };
  expectKept(yield ["gone", ""], "put them back with deletionProtection: false ");
  yield ["second", sites];
  // The program has no resource any more, and a look-up.
  const left = yield ["nothing", 'pulumi.runtime.invoke("tracking:index:getWebsites", {});\n'];
  expectKept(left, `[^\\n]*${IGNORE_PROTECTION}=true`);
}

/** A preview shows what protects a website and what no longer does, and nothing in a night without a change, whether a program omits the defaults or an SDK fills them in. */
async function* shown(): Story {
  const lifted = { deletionProtection: false };
  // A program in YAML gives what it has; the SDK of Python fills in the schema's defaults.
  const defaults = { privacy: "private", emailReports: false, excludeBots: true };
  const made = (args = {}) => site("made", { ...defaults, adopt: false, deletionProtection: true, ...args });
  // As by the engine's own option in a program of another language.
  yield ["first", made() + site("found", {}, { import: "7", protect: false }) + site("bare")];
  expect((await world.resource("bare")).inputs).toEqual({ domain: "bare.example.com" });
  expect((yield ["night"]).stdout).toBe(UNCHANGED);

  yield ["import twin"];
  const { output } = yield ["preview", made(lifted) + site("bare", lifted)];
  expect(output).toContain(
    "No longer protected:\n  2 websites: deletionProtection true → false: bare.example.com, made.example.com\n",
  );
  expect(output).toContain('website found.example.com: "pulumi up" will refuse it, by deletionProtection\n');
  expect(output).toContain('website made.example.com: stays: "made" has it\n');
  const refused = yield ["gone", made() + site("bare")];
  expect(refused.written.map(line)).not.toContain("DELETE /api/v1/websites/7");
  yield ["second", made() + site("found", lifted) + site("bare")];
  expect((await world.resource("found")).outputs).toMatchObject(lifted);
  expect((yield ["preview gone", made() + site("bare")]).stdout).toBe(
    "Websites and pixels: 1 website loses its statistics; 1 deleted.\nDeleted:\n  website found.example.com: its statistics are deleted\n",
  );
  expect((yield ["third"]).written.map(line)).toContain("DELETE /api/v1/websites/7");
  expect(Object.keys(await world.resources())).toEqual(expect.arrayContaining(["bare", "made"]));
  expect(world.website("made.example.com").id).toBe(Number((await world.resource("made")).id));
  yield ["nothing", ""];
}

/** It creates, imports what exists by the engine's own option, shows which arguments differ, updates and refreshes. */
async function* lived(): Story {
  const pixel = declare("Pixel", "ga", { name: "GA", type: "google-analytics", value: "G-1" });
  const own = { domain: "own.example.com", excludeIps: ["192.0.2.1", "192.0.2.2"] };
  const there =
    'new tracking.Website("there", { domain: "there.example.com" }, { import: "8", protect: false });\n';
  const made = yield [
    "first",
    declare("Website", "own", { ...own, privacy: "password", password: "pass word" }) + pixel + there,
  ];
  const keys = made.written.map(({ method, form }) => `${method} ${form.domain ?? form.name}`);
  expect(keys).toEqual(expect.arrayContaining(["POST GA", "POST own.example.com"]));
  expect(keys.join()).not.toContain("there");
  expect(await world.resource("there")).toMatchObject({ id: "8" });
  expect(world.website("own.example.com")).toMatchObject({ privacy: 2, password: "pass word" });
  expect(world.pixel("GA")).toMatchObject({ value: "G-1" });
  const { id, outputs } = await world.resource("own");
  expect(id).toBe(String(world.website("own.example.com").id));
  expect(outputs).not.toHaveProperty("__provider");
  expect(JSON.stringify(await world.state())).not.toContain("pass word");

  const moved = { domain: "OWN.example.com.", excludeIps: ["192.0.2.3", "192.0.2.2", "192.0.2.1"] };
  const later = declare("Website", "own", moved, { protect: false }) + pixel + there;
  const { stdout, written } = yield ["second", later];
  expect(stdout).toMatch(/~ excludeIps/);
  expect(stdout).toContain('"192.0.2.3"');
  expect(stdout).not.toContain("OWN");
  expect(written.map(line)).toEqual([`PUT /api/v1/websites/${id}`]);

  yield ["preview gone"];
  world.service.editWebsite(Number(id), { privacy: 0 });
  world.service.deletePixel(world.pixel("GA").id);
  const mended = yield [
    "third",
    `${later}tracking.getWebsites().then((all) => console.log("there are " + all.length));\n`,
  ];
  expect(mended.output).toMatch(/there are \d/);
  expect(mended.written.map(line)).toEqual(
    expect.arrayContaining(["POST /api/v1/pixels", `PUT /api/v1/websites/${id}`]),
  );
  expect(world.website("own.example.com")).toMatchObject({ privacy: 1 });
  yield ["nothing", ""];
}

describe("the plugin", () => {
  it("serves programs of other languages and of the classes, protects by its own rule what has lost its lines, and shows what it would do", async () => {
    // Engines before 3.256 do not have the option.
    const isKnown = Number((await ensureEngine({ log: () => {} })).version.split(".")[1]) >= 256;
    const ignoring = isKnown ? ["--ignore-protect"] : [];
    const up = ["up", ...YES];
    const previewed = async (...args: string[]) => {
      const ran = await world.recorded(() => installed(world, ["preview", ...args]).finished);
      expect(ran.code, ran.output).toBe(0);
      return ran;
    };
    const night = () => previewed("--", "--refresh", "--run-program", "--expect-no-changes");
    const fail = () => world.fail([...up, "--continue-on-error", ...ignoring]);
    const websites = [7, 8].map((id) => ({ ...ours(`${id === 7 ? "found" : "there"}.example.com`), id }));
    world.service.seed({ websites, pixels: [] });
    const imports = (name: string, id = "") =>
      world.run(["import", WEBSITE, name, id, "--yes", "--protect=false", "--generate-code=false"]);
    await together(
      world,
      {
        first: () => world.up(),
        night,
        "import twin": async () => imports("twin", (await world.resource("made")).id),
        preview: previewed,
        gone: fail,
        second: () => world.up({ args: ["--diff"] }),
        "preview gone": previewed,
        third: () => world.up({ args: ["--refresh"] }),
        nothing: fail,
      },
      [gone(isKnown), shown(), lived()],
    );
    await world.destroy({ args: ignoring, env: { [IGNORE_PROTECTION]: "true" } });
    expect([world.service.websites(), await world.resources()]).toEqual([[], {}]);
  });

  it("takes arguments that are longer than gRPC's messages are by default, and ends a pause at Ctrl-C, with a state that has what the service has", async () => {
    const long = "p".repeat(5_000_000);
    const running = await waitingUp({ excludeParams: [long] });
    expect(world.service.requests().at(-1)?.form.exclude_params).toHaveLength(long.length);
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
    await world.removeLock();
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
