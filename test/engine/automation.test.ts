import { expect, it } from "vitest";
import { start } from "../../tools/child.mjs";
import { environmentFor, headOf } from "./fresh-project";
import { KEY, literal, useHarness } from "./harness";

const world = useHarness();
const OTHER_KEY = "key-of-the-workspace";

/** An inline program, whose engine has more in its environment than the program's process. */
const deploy = (calls: string, body: string, envVars: object) => `${headOf(world.form)}
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
(async () => {
  const program = async () => { ${body} };
  const inline = { projectName: "fresh", stackName: "dev", program };
  const stack = await LocalWorkspace.selectStack(inline, { workDir: ${literal(world.project.folder)}, envVars: ${literal(envVars)} });
  ${calls}
})().catch((error) => { console.error(error.message); process.exitCode = 1; });
`;
const UP = `await stack.up({ color: "never" }); `;
const UNCHANGED = `await stack.preview({ expectNoChanges: true }); `;
const LOOKS = `await tracking.getWebsites(); `;
const MAKES = `new tracking.Website("shop", { domain: "shop.example.com" }, { protect: false }); `;

it("a look-up and a resource of an inline program use one account, or neither is done", async () => {
  await world.configureHere({});
  const own = environmentFor(world.service.url);
  world.service.keys.add(OTHER_KEY);
  const run = async (calls: string, body: string, envVars: object = {}) => {
    await world.project.write("deploy.js", deploy(calls, body, envVars));
    world.service.clearRequests();
    const { project } = world;
    const { code, stdout, stderr } = await start("node", ["deploy.js"], {
      cwd: project.folder,
      // The process that started an inline program, this one, lives on: its entries would count for a later engine at the same port.
      env: { ...project.env, ...own, TMPDIR: project.folder },
    }).finished;
    const written = world.service.requests().filter(({ method }) => method !== "GET");
    return { code, output: stdout + stderr, written: written.map(({ method }) => method) };
  };
  const other = { TRACKING_API_KEY: OTHER_KEY };
  const refusal =
    "the program's own process and Pulumi's have different values of TRACKING_API_KEY, so look-ups and resources would use two settings";
  const { code, output, written } = await run(UP, LOOKS + MAKES, other);
  expect([code, output, written]).toEqual([1, expect.stringContaining(refusal), []]);
  expect(output).not.toMatch(new RegExp(`${KEY}|${OTHER_KEY}`));
  // What the message names: the stack's config, an explicit provider, or the same environment.
  const explicit = `const provider = new tracking.Provider("own", ${literal({ apiKey: KEY, analyticsBaseUrl: world.service.url })});
    await tracking.getWebsitesOutput({}, { provider }); new tracking.Website("other", { domain: "other.example.com" }, { provider });`;
  expect(await run(UP, explicit, other)).toMatchObject({ code: 0, written: ["POST"] });
  expect(await run(UNCHANGED, LOOKS + explicit)).toMatchObject({ code: 0, written: [] });
  const later = `const shop = ${MAKES}await new Promise((resolve) => shop.id.apply(resolve)); ${LOOKS}`;
  expect(await run(UP, later + explicit, other)).toMatchObject({
    code: 1,
    output: expect.stringContaining(refusal),
  });
  const set = `await stack.setConfig("tracking:apiKey", { value: ${literal(OTHER_KEY)}, secret: true }); `;
  expect(await run(set + UP + UNCHANGED, LOOKS + MAKES + explicit, other)).toMatchObject({ code: 0 });
});
