import { join } from "node:path";
import { expect, it } from "vitest";
import { run } from "../../tools/child.mjs";

/** The output of a program that is started as the engine starts a test's programs. */
async function prints(program: string): Promise<unknown> {
  const args = ["--require", join(__dirname, "lean.cjs"), "-e", program];
  return JSON.parse((await run(process.execPath, args, { cwd: __dirname })).stdout);
}

it("keeps TypeScript and Arborist out of a process that serializes no function", async () => {
  const program = `require("@pulumi/pulumi");
const loaded = (name) => Object.keys(require.cache).some((path) => path.includes(require("path").join("node_modules", name, "")));
console.log(JSON.stringify(["typescript", "@npmcli/arborist", "@grpc/grpc-js"].map(loaded)));`;
  expect(await prints(program)).toEqual([false, false, true]);
});

it("loads them for a process that does", async () => {
  const program = `const { serializeFunction } = require("@pulumi/pulumi").runtime;
const more = 1;
serializeFunction((each) => each + more).then(({ text }) => console.log(JSON.stringify(text)));`;
  expect(await prints(program)).toContain("each + more");
});
