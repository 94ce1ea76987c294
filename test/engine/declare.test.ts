import { expect, it } from "vitest";
import { run } from "../../tools/child.mjs";
import { useHarness } from "./harness";

const world = useHarness();
const PASSWORD = "canary-of-the-password";

const FROM_FILE = `const { websites, pixels } = tracking.declareFrom("tracking.yaml");
exports.shop = websites.shop.id;
exports.ga = pixels.ga.id;
`;
const INTO_COMPONENT = `const parent = new pulumi.ComponentResource("acme:Brand", "brand");
tracking.declareFrom("tracking.yaml", { parent, aliases: [{ parent: pulumi.rootStackResource }] });
`;
/** The same resources, declared by the program itself. */
const BY_PROGRAM = `const office = ["192.0.2.0/24", "198.51.100.7"];
const shop = new tracking.Website("shop", {
  domain: "shop.example.com",
  privacy: "password",
  password: new pulumi.Config().requireSecret("shopPassword"),
  excludeIps: [...office, "203.0.113.9"],
}, { protect: false });
new tracking.Website("blog", { domain: "blog.example.com", excludeIps: office }, { protect: false });
new tracking.Website("help", { domain: "help.example.com", excludeIps: office }, { protect: false });
const ga = new tracking.Pixel("ga", { name: "GA", type: "google-analytics", value: "0123" });
exports.shop = shop.id;
exports.ga = ga.id;
`;
const file = (office = "192.0.2.0/24, 198.51.100.7") => `lists:
  office: [${office}]
websites:
  shop:
    domain: shop.example.com
    privacy: password
    password: { config: shopPassword }
    excludeIps: [office, 203.0.113.9]
    options: { protect: false }
  blog: { domain: blog.example.com, excludeIps: [office], options: { protect: false } }
  help: { domain: help.example.com, excludeIps: [office], options: { protect: false } }
pixels:
  ga: { name: GA, type: google-analytics, value: 0123 }
`;

/** The program runs in its own folder, to which relative paths refer. */
const write = (text: string) => world.project.write("program/tracking.yaml", text);

it("a file of declarations is applied, replaced by the same program in TypeScript and back, and moves into a component while one line of a shared list changes three websites", async () => {
  await world.project.pulumi(["config", "set", "--secret", "shopPassword", PASSWORD]);
  await write(file());
  await world.program(FROM_FILE);
  const { output } = await world.up();
  expect(world.website("shop.example.com").password).toBe(PASSWORD);
  expect(world.pixel("GA").value).toBe("0123");
  const state = JSON.stringify(await world.state());
  expect([output, state].filter((text) => text.includes(PASSWORD))).toEqual([]);
  expect(JSON.stringify((await world.resource("shop")).inputs?.password)).toContain("ciphertext");

  await world.program(BY_PROGRAM);
  await world.expectNoDiff();

  // Into a component, and by one line three websites are changed; nothing else is.
  await world.program(INTO_COMPONENT);
  await write(file("192.0.2.0/24, 198.51.100.8"));
  const { written } = await world.up();
  expect(written.map(({ method, form }) => [method, form.exclude_ips]).sort()).toEqual([
    ["PUT", "192.0.2.0/24\n198.51.100.8"],
    ["PUT", "192.0.2.0/24\n198.51.100.8"],
    ["PUT", "192.0.2.0/24\n198.51.100.8\n203.0.113.9"],
  ]);
});

it("the installed package loads what reads files when a file is declared, and not before", async () => {
  const program = `const tracking = require("pulumi-tracking");
const loaded = () => ["yaml", "zod", "fastest-levenshtein"].filter((name) =>
  Object.keys(require.cache).some((path) => path.includes(["", "node_modules", name, ""].join(require("path").sep))));
const before = loaded();
require("fs").writeFileSync("mistaken.yaml", "websites: { a: { domian: a.b, privacy: hidden } }");
try { tracking.declareFrom("mistaken.yaml"); } catch {}
console.log(JSON.stringify([before, loaded()]));`;
  const options = { cwd: world.project.folder, env: process.env };
  const { stdout } = await run(process.execPath, ["-e", program], options);
  expect(JSON.parse(stdout)).toEqual([[], ["yaml", "zod", "fastest-levenshtein"]]);
});
