import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from "vitest";
import { DECLARATIONS } from "../../../provider/config";
import { catalogue } from "../../../provider/resources";
import { pluralName } from "../../../provider/schema/resource";
import type { Declared } from "../../../sdk";
import { declareFrom, Pixel, Website } from "../../../sdk";
import { declareAll } from "../../../sdk/declarations/declare";
import * as native from "../../../sdk/native";
import { asBuilt, Group } from "../lookups-harness";

const registered: pulumi.runtime.MockResourceArgs[] = [];
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "declare-"));
});
beforeEach(async () => {
  asBuilt();
  registered.splice(0);
  await pulumi.runtime.setMocks({
    newResource: (args) => {
      registered.push(args);
      return { id: `${args.name}-id`, state: args.inputs };
    },
    call: () => ({}),
  });
  pulumi.runtime.setAllConfig({ "project:shopPassword": "hunter2hunter2", "other:key": "hunter3hunter3" });
});
// Waits for what a test has declared without looking at it: registered later, it would be the next one's.
afterEach(() => pulumi.runtime.disconnect());
afterAll(() => rm(folder, { recursive: true }));

async function file(text: string | Uint8Array): Promise<string> {
  const place = join(folder, "tracking.yaml");
  await writeFile(place, text);
  return place;
}

/** What a program registers, once it has. */
async function registers(declare: () => pulumi.Resource[]) {
  registered.splice(0);
  await Promise.all(declare().map(({ urn }) => new Promise((resolve) => urn.apply(resolve))));
  return registered.map(({ type, name, inputs }) => ({ type, name, inputs }));
}

describe("declareFrom", () => {
  test("returns what the file declares by its names, of the classes that programs have", async () => {
    // As some editors begin a file.
    const place =
      await file(`\uFEFFwebsites: { shop: { domain: shop.example.com }, toString: { domain: b.example.com } }
pixels: { ga: { name: GA, type: bing, value: G-1 } }`);
    const declared = declareFrom(place);
    const { ga } = native.declareFrom(place, { protect: true }).pixels;
    expect(ga).toMatchObject({ __pulumiType: "tracking:index:Pixel", __protect: true });
    expect(Object.keys(declared)).toEqual(["websites", "pixels"]);
    expect(Object.keys(declared.websites)).toEqual(["shop", "toString"]);
    expect(declared.websites.shop).toBeInstanceOf(Website);
    expect(declared.pixels.ga).toBeInstanceOf(Pixel);
    expect(declared.websites.constructor).toBeUndefined();
    const { domain } = declared.websites.shop ?? {};
    expect(await new Promise((resolve) => domain?.apply(resolve))).toBe("shop.example.com");
  });

  test("registers what the same program in TypeScript registers", async () => {
    const place = await file(`lists: { office: [192.0.2.1] }
websites:
  shop: { domain: a.b, privacy: password, password: { config: shopPassword }, excludeIps: [office], adopt: true }
pixels:
  ga: { name: GA, type: bing, value: 0123 }
`);
    const fromFile = await registers(() => {
      const { websites, pixels } = declareFrom(place);
      return [...Object.values(websites), ...Object.values(pixels)];
    });
    const fromProgram = await registers(() => [
      new Website("shop", {
        domain: "a.b",
        privacy: "password",
        password: new pulumi.Config().requireSecret("shopPassword"),
        excludeIps: ["192.0.2.1"],
        adopt: true,
      }),
      new Pixel("ga", { name: "GA", type: "bing", value: "0123" }),
    ]);
    expect(fromFile).toEqual(fromProgram);
  });

  test("keeps a secret of the stack's config a secret, of another namespace too", async () => {
    const place = await file(
      "websites: { a: { domain: a.b, privacy: password, password: { config: other:key } } }",
    );
    const password = declareFrom(place).websites.a?.password as pulumi.Output<unknown>;
    expect(await new Promise((resolve) => password.apply(resolve))).toBe("hunter3hunter3");
    expect(await pulumi.isSecret(password)).toBe(true);
    // Before the class marks it, too: Pulumi warns of each secret that is read as a plain text.
    const given: Record<string, unknown>[] = [];
    class Noted {
      constructor(_name: string, args: Record<string, unknown>) {
        given.push(args);
      }
    }
    declareAll(place, {}, { Website: Noted, Pixel: Noted } as never);
    expect(await pulumi.isSecret(given[0]?.password as pulumi.Output<unknown>)).toBe(true);
  });

  test("says in one error all that is wrong, by the file's name as the program gave it", async () => {
    const place = await file("websites: { a: { domian: a.b, password: { config: unset } } }");
    const declare = () => declareFrom(place);
    expect(declare).toThrow(pulumi.RunError);
    expect(declare).toThrow(
      /^[^\n]*tracking\.yaml: 2 mistakes\n[^\n]*tracking\.yaml:1:18: websites\.a: .*"domian".*"domain"/,
    );
    expect(registered).toEqual([]);
  });

  test("declares the files of a folder, except Pulumi's own, and several files, each once", async () => {
    const several = await mkdtemp(join(folder, "several-"));
    for (const [name, text] of [
      ["Pulumi.yaml", "name: project"],
      ["a.yaml", "websites: { a: { domain: a.b, excludeIps: office } }"],
      ["lists.yml", "lists: { office: [192.0.2.1] }"],
      ["notes.txt", "no YAML: ["],
    ] as const)
      await writeFile(join(several, name), text);
    const other = await file("pixels: { ga: { name: GA, type: bing, value: G-1 } }");
    const { websites, pixels } = declareFrom([several, other, join(several, "a.yaml")]);
    expect([Object.keys(websites), Object.keys(pixels)]).toEqual([["a"], ["ga"]]);
  });

  test("tells who asks for it, by a file, which files declare a resource, and of which folders a new file is read", async () => {
    const sites = await mkdtemp(join(folder, "sites-"));
    await writeFile(join(sites, "a.yaml"), "websites: { a: { domain: a.b } }");
    const other = await file("pixels: { ga: { name: GA, type: bing, value: G-1 } }");
    const asking = join(folder, "asking");
    await writeFile(asking, "");
    vi.stubEnv(DECLARATIONS, asking);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { websites, pixels } = declareFrom([sites, other]);
    const urns = [websites.a, pixels.ga].map((each) => new Promise((resolve) => each?.urn.apply(resolve)));
    const [a, ga] = await Promise.all(urns);
    const read = { files: [join(sites, "a.yaml"), other], folders: [sites] };
    const told = (await readFile(asking, "utf8")).trim().split("\n");
    expect(new Set(told.map((line) => JSON.parse(line)))).toEqual(
      new Set([
        { ...read, urn: a, type: "Website", name: "a" },
        { ...read, urn: ga, type: "Pixel", name: "ga" },
      ]),
    );
  });

  test("gives a resource the options of the program, with the aliases of the file, whose other options override them", async () => {
    const place = await file(`pixels:
  one: { name: One, type: bing, value: G-1 }
  two: { name: Two, type: bing, value: G-2, options: { aliases: [old], protect: false } }`);
    const [before, given] = [new Group("before"), new Map<string, pulumi.CustomResourceOptions>()];
    class Noted {
      constructor(name: string, _args: unknown, options: pulumi.CustomResourceOptions) {
        given.set(name, options);
      }
    }
    const form = { Website: Noted, Pixel: Noted } as never;
    const moved = { parent: pulumi.rootStackResource };
    declareAll(place, { dependsOn: before, aliases: [moved], protect: true }, form);
    expect(given.get("one")).toMatchObject({ protect: true });
    expect(given.get("two")).toEqual({
      protect: false,
      aliases: [moved, { name: "old" }],
      dependsOn: [before],
    });
  });

  test("says that there is no such file, where it looked, and what can't be read", async () => {
    expect(() => declareFrom("none.yaml")).toThrow(
      `none.yaml can't be read: ENOENT: no such file or directory, open '${join(process.cwd(), "none.yaml")}'`,
    );
    const empty = await mkdtemp(join(folder, "empty-"));
    expect(() => declareFrom(empty)).toThrow(`${empty} has no file whose name ends with .yaml or .yml`);
    const latin = await file(Uint8Array.from([0x61, 0x3a, 0x20, 0xe9]));
    expect(() => declareFrom(latin)).toThrow(/can't be read: .*utf-8/);
  });
});

test("a file has a section for every resource that there is", () => {
  const sections: Record<keyof Declared, true> = { websites: true, pixels: true };
  expect(Object.keys(sections)).toEqual(catalogue.map(pluralName));
});
