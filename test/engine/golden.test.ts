import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { StoredPixel, StoredWebsite } from "../service";
import type { Form } from "./fresh-project";
import { declare, type StateResource, useHarness } from "./harness";
import { PASSPHRASE } from "./key-service";

/**
 * What earlier code left behind: the exported stack and the service's records. A file is never rewritten. Later code
 * adds its own: this test writes a file that does not exist.
 */
interface Golden {
  websites: StoredWebsite[];
  pixels: StoredPixel[];
  exported: { deployment: { resources: StateResource[] } };
}

/** A place outside of the project, such as a machine's own folders. */
const ELSEWHERE = /(?<=project:\/\/\/)(?:\.\.\/)+[^"]*\//g;
/** Replaces the service's address. */
const PLACE = "http://127.0.0.1:1";
/** The files of each form. */
const states: Record<Form, string[]> = {
  dynamic: ["0.1.0-at"],
  native: ["0.1.0-at-plugin"],
};

/** What the program declared that the stored states are of: the arguments of each resource, by its name. */
const websites = {
  defaults: { domain: "defaults.example.com" },
  full: {
    domain: "Full.example.com.",
    privacy: "password",
    password: "a-golden-password",
    emailReports: true,
    excludeBots: false,
    excludeParams: ["ref", "utm_source"],
    excludeIps: ["192.0.2.0/24", "2001:db8::1"],
    adopt: true,
  },
  idn: { domain: "bücher.example.com", privacy: "public", excludeParams: [] },
};

const pixels = {
  ga: { name: "GA & more", type: "google-analytics", value: "G-1234567890" },
  x: { name: "X", type: "twitter", value: "a-1_B", adopt: true },
};
const OPEN = { protect: false };
const PROGRAM = [
  ...Object.entries(websites).map(([name, args]) => declare("Website", name, args, OPEN)),
  ...Object.entries(pixels).map(([name, args]) => declare("Pixel", name, args)),
].join("");

function fileOf(name: string): string {
  return join(__dirname, "golden", `${name}.json`);
}

describe.each<Form>(["dynamic", "native"])("a state that earlier code wrote in the form %s", (form) => {
  const world = useHarness({ secrets: PASSPHRASE }, form);

  async function write(name: string): Promise<void> {
    await world.up();
    const exported = await world.project.state();
    const golden = {
      websites: world.service.websites(),
      pixels: world.service.pixels(),
      exported,
    };
    const text = JSON.stringify(golden, null, 2).replaceAll(world.service.url, PLACE).replace(ELSEWHERE, "");
    await writeFile(fileOf(name), `${text}\n`);
  }

  it.each(states[form])(
    "previews no change, refreshes none, and is destroyed without an up: %s",
    async (name) => {
      await world.program(PROGRAM);
      if (!existsSync(fileOf(name))) {
        expect(process.env.CI, `${fileOf(name)} is missing`).toBeUndefined();
        await write(name);
      }
      const text = (await readFile(fileOf(name), "utf8")).replaceAll(PLACE, world.service.url);
      const { websites, pixels, exported } = JSON.parse(text) as Golden;
      world.service.seed({ websites, pixels });
      await world.editState((checkpoint) => {
        checkpoint.latest = exported.deployment;
      });
      expect(Object.keys(await world.resources()).sort()).toEqual(["defaults", "full", "ga", "idn", "x"]);

      await world.expectNoDiff();
      const destroy = await world.destroy({ args: ["--refresh"] });
      const refreshed = [...destroy.output.matchAll(/ refresh \(.*?\) *(.*)$/gm)].map(([, diff]) => diff);
      // In the dynamic form, a refresh returns what the service has, and not what the program says of adopting.
      const fine = form === "dynamic" ? ["", "[diff: -adopt]"] : [""];
      expect([refreshed.length, refreshed.filter((diff) => !fine.includes(`${diff}`))]).toEqual([5, []]);
      expect(destroy.written.map(({ method }) => method)).toEqual(Array(5).fill("DELETE"));
      expect([...world.service.websites(), ...world.service.pixels()]).toEqual([]);
      expect(await world.resources()).toEqual({});
    },
  );
});
