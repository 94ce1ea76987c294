import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { blocks, languages } from "../../docs/readme";
import { PLUGIN } from "../fresh-project";
import { KEY, useHarness } from "../harness";
import { importing } from "../importing";
import { argsOf, languageStory } from "./story";
import { pythonEnvironment } from "./virtualenv";

const world = useHarness(
  { files: { "Pulumi.yaml": `name: fresh\nmain: program\nruntime: python\n${PLUGIN}` } },
  "native",
);

/** Sets the project up for a program in Python, or says why there can't be one. */
async function prepared(): Promise<Error | undefined> {
  const python = await pythonEnvironment(world.project.env).catch((error: Error) => error);
  if (python instanceof Error) return new Error(`No program in Python can be run here: ${python.message}`);
  world.project.env = python;
  const { url } = world.service;
  await world.configure({ url, key: KEY, plain: { marketBaseUrl: url } });
  return undefined;
}

it("a program in Python previews, creates, looks up, changes, is protected, and deletes", async ({
  skip,
}) => {
  const missing = await prepared();
  if (missing !== undefined) return skip(missing.message);
  const main = join("python", "__main__.py");
  await copyFile(join(__dirname, main), join(world.project.folder, "program", "__main__.py"));
  await languageStory(world, (command, stage, fails) => {
    const options = { env: { STAGE: stage } };
    return fails ? world.fail(argsOf(command), options) : world.run(argsOf(command), options);
  });
});

/** A program of what the import finds. */
const DECLARED = `import pulumi
import pulumi_tracking as tracking

opts = pulumi.ResourceOptions(protect=True)
for name, privacy in [("a", "public"), ("b", "password"), ("c", "private")]:
    tracking.Website(
        f"{name}-example-com",
        domain=f"{name}.example.com",
        privacy=privacy,
        email_reports=name == "b",
        exclude_bots=False,
        exclude_ips=["192.0.2.0/24", "198.51.100.7"],
        opts=opts,
    )
tracking.Pixel("pixel-1", name='Pixel "1" \u{1F600}', type="bing", value="B-1", opts=opts)
`;

it("the records of an account are imported into a program in Python, and none of them is changed", async ({
  skip,
}) => {
  const missing = await prepared();
  if (missing !== undefined) return skip(missing.message);
  const ips = "192.0.2.0/24\n198.51.100.7";
  for (const [domain, privacy] of [
    ["a.example.com", 0],
    ["b.example.com", 2],
    ["c.example.com", 1],
  ] as const)
    await world.service.insertWebsite({ domain, privacy, email: privacy === 2 ? 1 : 0, exclude_ips: ips });
  await world.service.insertPixel({ name: 'Pixel "1" \u{1F600}', type: "bing", value: "B-1" });
  await world.project.write("program/__main__.py", "");
  await world.service.clearRequests();

  const out = join("program", "tracking_records.py");
  const { code, stdout, stderr } = await importing(world, ["--apply", "--out", out]).finished;
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("4 imported.");
  // The language's host may not be able to write code; then the names are what the program needs.
  const names = ["a-example-com", "b-example-com", "c-example-com", "pixel-1"];
  expect(stdout).toMatch(new RegExp(`Add (what ${out} declares|.*: ${names.join(", ")}\\.)`));
  await world.project.write("program/__main__.py", DECLARED);
  await world.expectNoDiff();
  expect((await world.service.requests()).filter(({ method }) => method !== "GET")).toEqual([]);
  expect(Object.keys(await world.resources())).toHaveLength(4);
});

it("the documents' example in Python runs as it is written", async ({ skip }) => {
  const missing = await prepared();
  if (missing !== undefined) return skip(missing.message);
  await world.project.write("program/__main__.py", blocks("python", languages).join(""));
  await world.up();
  expect(await world.website("shop.example.com")).toMatchObject({ exclude_ips: "192.0.2.0/24" });
  expect(await world.pixel("Analytics")).toMatchObject({ type: "google-analytics", value: "G-12345" });
});
