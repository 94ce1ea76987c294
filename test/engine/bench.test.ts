import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { OPERATIONS, requestsOf, violations } from "../../bench/operations.mjs";
import { ROOT } from "../../tools/root.mjs";
import { PLUGIN } from "./fresh-project";
import { KEY, literal, useHarness } from "./harness";

/** The program and the operations of `npm run bench`, for the exact figures: counts and bytes, never times. */
const world = useHarness();
let bench = "";

beforeAll(async () => {
  bench = await readFile(join(ROOT, "bench", "programs", "program.ts"), "utf8");
  await world.inTypeScript({ "Pulumi.yaml": `name: fresh\nruntime: nodejs\n${PLUGIN}` });
  // Its types cost each command a second, and no figure counts them.
  world.project.env.PULUMI_NODEJS_TRANSPILE_ONLY = "true";
});
beforeEach(() => world.project.write("index.ts", bench));

it("state holds at most 1.3 KB of a website and 1.2 KB of a pixel, in both forms, and of the stack the program's line alone", async () => {
  const lines = [
    `import * as tracking from "pulumi-tracking";`,
    `import * as native from "pulumi-tracking/native";`,
    `for (const [name, { Website, Pixel }] of Object.entries({ tracking, native })) {`,
    `  new Website(\`\${name}-site\`, { domain: \`\${name}.example.com\` });`,
    `  new Pixel(\`\${name}-1\`, { name: \`Pixel \${name}\`, type: "google-analytics", value: "G-1234567" });`,
    "}",
  ];
  await world.project.write("index.ts", lines.join("\n"));
  // Without the modules that tests preload, whose lines would be in the stack.
  await world.up({ env: { NODE_OPTIONS: "" } });
  const resources = Object.values(await world.resources());
  const bytes = (type: string) => {
    const held = resources.filter((each) => each.type.endsWith(type));
    expect(held).toHaveLength(2);
    return Math.max(...held.map((each) => Buffer.byteLength(JSON.stringify(each))));
  };
  expect(bytes("Website")).toBeLessThanOrEqual(1300);
  expect(bytes("Pixel")).toBeLessThanOrEqual(1200);
  const places = resources
    .map(({ sourcePosition, stackTrace }) => ({ sourcePosition, stackTrace }))
    .sort((one, other) => `${one.sourcePosition}`.localeCompare(`${other.sourcePosition}`));
  const place = (line: number) => {
    const sourcePosition = `project:///index.ts#${line},3`;
    return { sourcePosition, stackTrace: [{ sourcePosition }] };
  };
  expect(places).toEqual([place(4), place(4), place(5), place(5)]);
  const bags = resources.flatMap(({ inputs, outputs }) => [inputs, outputs]);
  const providers = new Set(bags.map((bag) => bag?.__provider));
  // One for each type, and none in the plugin's form.
  expect([...providers].map((text) => text === undefined || String(text).length <= 80)).toEqual([
    true,
    true,
    true,
  ]);
});

/** Those that send something. A slow one sends the same, and that one with nothing to do sends nothing is what other tests end with. */
const operations = OPERATIONS.filter(
  ({ slow, write, reads }) => !slow && (write !== undefined || reads === true),
);

it("the requests of 10 websites that are their account, and of 3 in one of 1000, are one for each write, and no more reads than promised", async () => {
  const large = await world.anotherService();
  const others = Array.from({ length: 997 }, (_, at) => ({ domain: `other-${at}.example.org` }));
  large.seed({ websites: others });
  const settings = literal({ apiKey: KEY, analyticsBaseUrl: large.url, dataBaseUrl: large.url });
  const beside = [
    `import { Provider } from "pulumi-tracking";`,
    `const provider = new Provider("large", ${settings});`,
    'const emailReports = BENCH_EMAIL === "1";',
    "for (const at of [0, 1, 2])",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the program's.
    "  new Website(`large-${at}`, { domain: `large-${at}.example.com`, emailReports }, { protect: false, provider });",
  ];
  await world.project.write("index.ts", [bench, ...beside].join("\n"));
  const accounts = [
    { service: world.service, records: 10, account: 10 },
    { service: large, records: 3, account: 1000 },
  ];
  expect(operations.map(({ name }) => name)).toEqual(["up", "refresh", "change", "destroy"]);
  for (const operation of operations) {
    for (const { service } of accounts) service.clearRequests();
    await world.run([...operation.args], { env: { BENCH_SIZE: "10", BENCH_EMAIL: `${operation.email}` } });
    for (const { service, ...size } of accounts) {
      expect(violations(operation, size, requestsOf(service.requests())), operation.name).toEqual([]);
      const own = service.websites().filter(({ domain }) => !domain.startsWith("other-"));
      expect(own, operation.name).toHaveLength(operation.write === "DELETE" ? 0 : size.records);
      for (const { email } of own) expect(email, operation.name).toBe(operation.email);
    }
  }
});
