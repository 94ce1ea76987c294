import { expect, it } from "vitest";
import { type Form, PROGRAM } from "./fresh-project";
import { declare, KEY, type Ran, tokenOf, useHarness } from "./harness";

const world = useHarness();

const SIZE = 9;

/** Resources of the stack's own provider, of an explicit one, and in a component, in equal parts. */
function program(): string {
  const { url } = world.service;
  const other = { apiKey: KEY, analyticsBaseUrl: url, dataBaseUrl: url };
  const parts = Array.from({ length: SIZE }, (_, at) => {
    const resource =
      at % 2 === 0
        ? declare("Website", `site-${at}`, {
            domain: `site-${at}.example.com`,
            excludeIps: ["192.0.2.1"],
            ...(at % 4 === 0 && { privacy: "password", password: "pass word" }),
          })
        : declare("Pixel", `pixel-${at}`, { name: `P-${at}`, type: "bing", value: String(at) });
    const option = ["{}", "{ provider: other }", "{ parent: group }"][at % 3] ?? "{}";
    return resource.replace(/, \{\}\);\n$/, `, ${option});\n`);
  });
  return [
    `const other = new tracking.Provider("other", ${JSON.stringify(other)});\n`,
    'const group = new pulumi.ComponentResource("my:index:Group", "group");\n',
    ...parts,
  ].join("");
}

async function expectAll(form: Form, before: unknown): Promise<void> {
  const resources = Object.values(await world.resources());
  expect(resources).toHaveLength(SIZE);
  const types = new Set(["Website", "Pixel"].map((type) => tokenOf(type as "Website" | "Pixel", form)));
  expect(new Set(resources.map(({ type }) => type))).toEqual(types);
  // The engine knows a resource by its line in the program, and not by one of this package.
  for (const { sourcePosition } of resources) expect(sourcePosition).toContain(PROGRAM);
  expect(stored()).toEqual(before);
}

const stored = () => [world.service.websites(), world.service.pixels()];
/** Ids, inputs and outputs. The engine encrypts a secret anew each time. */
const held = async () => JSON.parse(JSON.stringify(await world.kept()).replace(/"v1:[^"]*"/g, '"sealed"'));
/** What the engine prints of a website or a pixel that it does something to, such as " ~ tracking:index:Website site-0 updating". */
const STEP = /^ *[-+~<>=]+ .*tracking:.*(Website|Pixel) /m;
const untouched = (ran: Ran) => expect(ran.written).toEqual([]);

it("a stack moves to the plugin without a change, a request or a loss, and back without a request", async () => {
  world.form = "dynamic";
  await world.program(program());
  await world.up();
  const before = stored();
  const kept = await held();

  world.form = "native";
  await world.program(program());
  const there = await world.up();
  expect(there.sent).toEqual([]);
  expect(there.output).not.toMatch(STEP);
  await expectAll("native", before);
  untouched(await world.expectNoChange({ args: ["--refresh"] }));

  world.form = "dynamic";
  await world.program(program());
  const back = await world.up();
  expect(back.sent).toEqual([]);
  expect(back.output).not.toMatch(STEP);
  await expectAll("dynamic", before);
  // As if it had never been away.
  expect(await held()).toEqual(kept);
  expect(JSON.stringify(await world.state())).not.toContain("pass word");
});
