import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { parse, stringify } from "yaml";
import { IGNORE_PROTECTION } from "../../../provider/config";
import { CommandFailed, start } from "../../../tools/child.mjs";
import { ensureEngine } from "../../../tools/engine/setup.mjs";
import { blocks, commandsBelow, guide, languages, reference } from "../../docs/readme";
import { scratch } from "../../install/clone";
import { type EmulatorClient, service } from "../../service";
import { serveRelease } from "../release";
import { missingHost } from "./hosts";

const HOST = "pulumi-language-yaml";
const HEAD = "name: shop\nruntime: yaml\n";
const [EXAMPLE = ""] = blocks("yaml", languages).filter((text) => text.startsWith(HEAD));
const OTHER = "domain: other.example.com";
const LIFTED = `${OTHER}\n      deletionProtection: false`;

/** A machine that has `pulumi` and the host for YAML, and no Node.js. */
async function bareMachine(env: NodeJS.ProcessEnv): Promise<{ folder: string; env: NodeJS.ProcessEnv }> {
  const folders = (env.PATH ?? "").split(delimiter);
  const folder = await scratch("page", onTestFinished);
  const bin = join(folder, "bin");
  for (const each of [bin, join(folder, "shop"), join(folder, "checkout")]) await mkdir(each);
  for (const name of ["pulumi", HOST]) {
    const place = folders.find((each) => existsSync(join(each, name))) ?? "";
    await symlink(join(place, name), join(bin, name));
  }
  // There, the plugin is a script.
  const path = process.platform === "darwin" ? [bin, dirname(process.execPath), "/usr/bin", "/bin"] : [bin];
  const own = { PATH: path.join(delimiter), HOME: folder, PULUMI_HOME: join(folder, "home") };
  const answers = { PULUMI_SKIP_UPDATE_CHECK: "true", PULUMI_SKIP_CONFIRMATIONS: "true" };
  const state = { PULUMI_BACKEND_URL: `file://${folder}/shop`, PULUMI_CONFIG_PASSPHRASE: "passphrase" };
  return { folder, env: { ...own, ...answers, ...state } };
}

it("can be followed from its first line to its last in Pulumi YAML, on a machine without Node.js", async ({
  skip,
}) => {
  const engine = await ensureEngine({ log: () => {} });
  const missing = missingHost("yaml", engine.env);
  if (missing !== undefined) return skip(missing);
  const { folder, env } = await bareMachine(engine.env);
  const emulator = await service();
  const { url } = await serveRelease();
  const project = join(folder, "shop");
  const file = join(project, "Pulumi.yaml");

  /** Types a line of the page, with the addresses of this test, and says what it prints and changes at the service. */
  const type = async (line: string, { fails = false, cwd = project, home = env.PULUMI_HOME } = {}) => {
    emulator.control.clearRequests();
    const here = line.replace(/github:\/\/\S+/, url).replace(/http:\/\/127\.0\.0\.1:4004/, emulator.url);
    const options = { cwd, env: { ...env, PULUMI_HOME: home } };
    const done = await start("/bin/sh", ["-c", here], options).finished;
    if ((done.code !== 0) !== fails) throw new CommandFailed(here, done);
    return { output: done.stdout + done.stderr, written: written(emulator.control) };
  };
  const domains = () => emulator.control.websites().map(({ domain }) => domain);

  await writeFile(file, HEAD);
  const [add = ""] = commandsBelow("Install", languages);
  await type(add);
  const installed = await readFile(file, "utf8");
  const { version, pluginDownloadURL } = parse(installed).packages.tracking;
  expect(pluginDownloadURL).toBe(url);
  const plugin = `resource-tracking-v${version}/pulumi-resource-tracking`;
  // A machine with nothing but its system lacks this library.
  expect((await readFile(join(folder, "home", "plugins", plugin))).includes("libatomic.so")).toBe(false);
  for (const line of commandsBelow("Set up", languages).filter((each) =>
    /^pulumi (stack|config) /.test(each),
  ))
    await type(line);

  const program = installed + EXAMPLE.slice(HEAD.length);
  await writeFile(file, program);
  expect((await type("pulumi up")).written).toEqual(["POST pixels", "POST websites"]);
  expect(emulator.control.websites()).toMatchObject([{ exclude_ips: "192.0.2.0/24" }]);
  expect(emulator.control.pixels()).toMatchObject([{ type: "google-analytics", value: "G-12345" }]);

  // A second account, and the first one alone again.
  const [accounts = ""] = blocks("yaml", reference["docs/reference/provider.md"]);
  const merged = parse(program);
  for (const part of ["config", "resources", "variables", "outputs"])
    merged[part] = {
      ...merged[part],
      ...parse(accounts.replace("https://stats.example.com", emulator.url))[part],
    };
  await type("pulumi config set --secret agencyKey local-key");
  await writeFile(file, stringify(merged));
  expect((await type("pulumi up")).written).toEqual(["POST websites"]);
  await type("pulumi preview --expect-no-changes");
  await writeFile(file, program);
  await type(`${IGNORE_PROTECTION}=true pulumi up`);

  // A fresh checkout, on another machine.
  const checkout = { cwd: join(folder, "checkout"), home: join(folder, "other-home") };
  for (const name of ["Pulumi.yaml", "Pulumi.dev.yaml"])
    await copyFile(join(project, name), join(checkout.cwd, name));
  await type("pulumi install", checkout);
  await type("pulumi preview --stack dev --expect-no-changes", checkout);

  // The life of a protected website: made, refused, unprotected, replaced, deleted.
  for (const both of [OTHER, LIFTED]) {
    await writeFile(file, program.replace("domain: shop.example.com", both));
    const refused = await type("pulumi up", { fails: true });
    expect(refused.output).toContain("deletionProtection: false");
    expect(refused.output).not.toContain("connection is closing");
    expect(refused.written).toEqual([]);
  }
  await writeFile(file, program.replace(/( +)(domain: .*)/, "$1$2\n$1deletionProtection: false"));
  expect((await type("pulumi up")).written).toEqual([]);
  await writeFile(file, program.replace("domain: shop.example.com", LIFTED));
  expect((await type("pulumi up")).written).toEqual(["DELETE websites", "POST websites"]);
  expect(domains()).toEqual(["other.example.com"]);

  const released = await readFile(file, "utf8");
  const [show = ""] = /pulumi stack --show-urns/.exec(guide) ?? [];
  const [urn = ""] = /urn:\S+::analytics/.exec((await type(show)).output) ?? [];
  await writeFile(
    file,
    released.replace("  analytics:\n", `  stats:\n    options: { aliases: ["${urn}"], protect: true }\n`),
  );
  expect((await type("pulumi up")).written).toEqual([]);
  await writeFile(file, released.replace(/ {2}analytics:[\s\S]*(?=variables:)/, ""));
  expect((await type("pulumi preview", { fails: true })).output).toContain("protect");
  await type(`pulumi state unprotect '${urn.replace("::analytics", "::stats")}'`);

  emulator.control.insertWebsite({ id: 10, domain: "ten.example.com" });
  emulator.control.insertPixel({ id: 4, name: "Four" });
  const [website = "", pixel = ""] = commandsBelow("Import", languages);
  expect((await type(website)).output).toContain("domain: ten.example.com");
  expect((await type(pixel)).output).toContain("name: Four");

  const [doctor = "", list = "", imports = ""] = commandsBelow("The command line", languages);
  expect((await type(doctor)).output).toContain("accepts the key");
  expect((await type(list)).output).toContain("ten.example.com");
  // The program that the imports above printed is not in the file yet.
  expect((await type(imports, { fails: true })).output).toContain("Declare it first");
});

function written(service: EmulatorClient): string[] {
  const changes = service.requests().filter(({ method }) => method !== "GET");
  return changes.map(({ method, path }) => `${method} ${path.split("/")[3]}`).sort();
}
