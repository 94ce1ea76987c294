import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { addPlugin } from "../../../cli/init-native/command";

async function project(text: string, { file = "Pulumi.yaml", bin = "node_modules/.bin" } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "init-native-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const place = join(folder, "infra");
  await mkdir(place);
  if (bin !== "") {
    await mkdir(join(place, bin), { recursive: true });
    await writeFile(join(place, bin, "pulumi-resource-tracking"), "");
  }
  await writeFile(join(place, file), text);
  return { place, read: () => readFile(join(place, file), "utf8") };
}

const expected = { providers: [{ name: "tracking", path: "node_modules/.bin" }] };

test("the plugin's place is added once, and everything else stays as it was written", async () => {
  const text = "# Ours.\nname: shop # its name\nruntime:\n  name: python\n";
  const { place, read } = await project(text);
  expect((await addPlugin(place))[0]).toBe("Pulumi.yaml now names the plugin, in node_modules/.bin.");
  const after = await read();
  expect(after.startsWith(text)).toBe(true);
  expect(parse(after)).toEqual({ name: "shop", runtime: { name: "python" }, plugins: expected });
  expect((await addPlugin(place))[0]).toContain("already names");
  expect(await read()).toBe(after);
});

test.each([
  ["nodejs", '"pulumi-tracking/native"', /pulumi package/],
  ["yaml", "nothing more", /npm|TypeScript/],
  ["python", '"pulumi package add ./node_modules/.bin/pulumi-resource-tracking"', /npm|TypeScript/],
])("what comes next is for the project's language: %s", async (runtime, expected, foreign) => {
  const { place } = await project(`name: shop\nruntime: ${runtime}\n`);
  const [, next] = await addPlugin(place);
  expect(next).toContain(expected);
  expect(next).not.toMatch(foreign);
});

test("other plugins stay, and a place of before is put right", async () => {
  const { place, read } = await project(
    "name: shop\nruntime: nodejs\nplugins:\n  providers:\n    - name: aws\n      path: ../aws\n    - name: tracking\n      path: elsewhere\n",
  );
  await addPlugin(place);
  expect(parse(await read()).plugins.providers).toEqual([
    { name: "aws", path: "../aws" },
    ...expected.providers,
  ]);
});

test("the package of a workspace above the project is found, and a project in JSON too", async () => {
  const { place, read } = await project('{"name":"shop","runtime":"nodejs"}', {
    file: "Pulumi.json",
    bin: "../node_modules/.bin",
  });
  await addPlugin(place);
  expect(JSON.parse(await read()).plugins.providers).toEqual([
    { name: "tracking", path: "../node_modules/.bin" },
  ]);
});

test("without the package, or with a file that can't be read, nothing is written", async () => {
  const bare = await project("name: shop\nruntime: nodejs\n", { bin: "" });
  await expect(addPlugin(bare.place)).rejects.toThrow(
    'pulumi-tracking is not installed in this project. Run "npm install pulumi-tracking"',
  );
  expect(await bare.read()).toBe("name: shop\nruntime: nodejs\n");
  const broken = await project("name: [\n");
  await expect(addPlugin(broken.place)).rejects.toThrow("Pulumi.yaml can't be read: ");
  expect(await broken.read()).toBe("name: [\n");
  const odd = await project("name: shop\nmain:\nruntime: 7\n");
  await expect(addPlugin(odd.place)).rejects.toThrow(/Pulumi.yaml can't be read: .* at runtime/);
});
