import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { OPERATIONS, type Operation, requestsOf, violations } from "../../bench/operations.mjs";
import { ROOT } from "../../tools/root.mjs";
import { useHarness } from "./harness";

/** The program and the operations of `npm run bench`, for the exact figures: counts and bytes, never times. */
const world = useHarness();
const ACCOUNT = 1000;
let bench = "";

beforeAll(async () => {
  bench = await readFile(join(ROOT, "bench", "programs", "program.js"), "utf8");
});
beforeEach(() => world.project.write("program/index.js", bench));

/** The environment that tells the program what to declare. */
const declaring = (size: number, email = 0, pixels = 0) => ({
  BENCH_PACKAGE: "pulumi-tracking",
  BENCH_SIZE: `${size}`,
  BENCH_EMAIL: `${email}`,
  BENCH_PIXELS: `${pixels}`,
});

it("state holds at most 1.5 KB of a website and 1.3 KB of a pixel, with one constant of at most 80 bytes for the provider", async () => {
  // Without the modules that tests preload, which would lengthen the source positions in state.
  await world.up({ env: { ...declaring(2, 0, 2), NODE_OPTIONS: "" } });
  const held = Object.values(await world.resources());
  const largest = (type: string) =>
    Math.max(
      ...held
        .filter((each) => each.type.endsWith(type))
        .map((each) => Buffer.byteLength(JSON.stringify(each))),
    );
  expect(largest("Website")).toBeLessThanOrEqual(1500);
  expect(largest("Pixel")).toBeLessThanOrEqual(1300);
  const bags = held.flatMap(({ inputs, outputs }) => [inputs, outputs]);
  const providers = new Set(bags.map((bag) => String(bag?.__provider)));
  // One for each type.
  expect([...providers].map((text) => text.length <= 80)).toEqual([true, true]);
});

/** Where nobody else's records are, every operation; in a large account, those that read. A slow one sends the same. */
const operations = OPERATIONS.filter(({ slow }) => !slow);
const reading = operations.filter(({ write, reads }) => write !== undefined || reads === true);

describe.each([
  { size: 10, account: 10, asked: operations, words: "a stack of 10 websites that holds its account" },
  { size: 3, account: ACCOUNT, asked: reading, words: `3 websites in an account of ${ACCOUNT}` },
])("the requests of $words", ({ size, account, asked }) => {
  it("are one for each write, and no more reads than promised", async () => {
    const others = Array.from({ length: account - size }, (_, at) => ({ domain: `other-${at}.example.org` }));
    world.service.seed({ websites: others });
    for (const operation of asked) await expectPromised(operation);
  });

  async function expectPromised(operation: Operation): Promise<void> {
    const { sent } = await world.run([...operation.args], { env: declaring(size, operation.email) });
    expect(violations(operation, { records: size, account }, requestsOf(sent))).toEqual([]);
    const own = world.service.websites().filter(({ domain }) => !domain.startsWith("other-"));
    expect(own, operation.name).toHaveLength(operation.write === "DELETE" ? 0 : size);
    for (const { email } of own) expect(email, operation.name).toBe(operation.email);
  }
});
