import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { codeOf, tokenOf } from "../../../../provider/hosts/dynamic/code";
import { parseUrn } from "../../../../provider/hosts/urn";
import { type Catalogue, catalogue } from "../../../../provider/resources";
import { pixels, websites } from "../../../engine/golden/program";
import { beginProcess } from "../../../faults/process";
import { service } from "../../../service";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
type Bag = Record<string, unknown>;
type Stored = { type: string; urn: string; id: string; inputs: Bag; outputs: Bag };

/** What the program of that release said, as far as it is not in what it stored: its defaults are. */
const programs: Readonly<Record<string, Bag>> = { ...websites, ...pixels };

/** A bag as the engine hands it to a provider: secrets opened. */
function opened(bag: Bag): Bag {
  const open = (value: unknown) =>
    typeof value === "object" && value !== null && SIGNATURE in value
      ? { [SIGNATURE]: Reflect.get(value, SIGNATURE), value: "a-golden-password" }
      : value;
  return Object.fromEntries(Object.entries(bag).map(([name, value]) => [name, open(value)]));
}

test("what 0.1.0 stored of a program is what this code would store, and shows no change", async () => {
  const { exported } = JSON.parse(readFileSync("test/engine/golden/0.1.0.json", "utf8"));
  const stored: Stored[] = exported.deployment.resources;
  const { url, control } = await service();
  const settings = { apiKey: "local-key", analyticsBaseUrl: url, dataBaseUrl: url };
  const { host, leave } = await beginProcess(settings, async () => {});
  onTestFinished(leave);
  const tried: string[] = [];
  for (const { type, urn, id, inputs, outputs } of stored) {
    const resource = catalogue.find((each) => tokenOf(each) === type);
    const name = parseUrn(urn).name;
    if (resource === undefined) continue;
    const { check, diff } = host[resource.type as Catalogue[number]["type"]];
    const news = { ...programs[name], __provider: codeOf(resource) };
    const checked = await check(opened(inputs), news);
    expect(checked).toEqual({ inputs: opened(inputs), failures: [] });
    expect(await diff(id, opened(outputs), checked.inputs)).toEqual({ changes: false, replaces: [] });
    tried.push(name);
  }
  expect(tried.sort()).toEqual(Object.keys(programs).sort());
  expect(await control.requests()).toEqual([]);
});
