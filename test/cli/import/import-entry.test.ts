import { afterAll, beforeAll, expect, test } from "vitest";
import { importedState } from "../../../cli/import/import-entry";
import { allOf, recordsBy } from "../../../cli/service-records";
import { pixel, website } from "../../../provider/resources";
import type { Resource, Values } from "../../../provider/schema/resource";
import { pixelSeeds, websiteSeeds } from "../../engine/account";
import { dialectNames, type Emulator, service } from "../../service";

let emulator: Emulator;
beforeAll(async () => {
  emulator = await service({ apiKey: "key" }, afterAll);
  await emulator.control.seed({ websites: websiteSeeds(16), pixels: pixelSeeds(8) });
});

/** Values in the form in which two spellings of one are equal: a newer server says x for twitter. */
function canonical({ inputs }: Resource, state: Values): Values {
  return Object.fromEntries(
    Object.entries(state).map(([name, value]) => [name, inputs[name]?.canonical(value)]),
  );
}

/** What an import would put into the state of everything in the account, by id. */
async function states(dialect: (typeof dialectNames)[number]) {
  await emulator.control.configure({ dialect });
  const settings: Record<string, string> = {
    apiKey: "key",
    analyticsBaseUrl: emulator.url,
    dataBaseUrl: emulator.url,
  };
  const account = recordsBy({ get: (name) => settings[name] }, { warn: () => {}, debug: () => {} });
  const read = async (resource: Resource) =>
    (await allOf(resource, account))
      .map((found) => ({ id: Number(found.id), state: canonical(resource, importedState(resource, found)) }))
      .sort((one, other) => one.id - other.id);
  return { websites: await read(website), pixels: await read(pixel) };
}

test.each(dialectNames)(
  "an account read in the dialect %s comes to the state that it holds",
  async (dialect) => {
    const told = await states(dialect);
    const reference = await states("reference");
    expect(told.pixels).toEqual(reference.pixels);
    const [seen, expected] = [told.websites.map(known), reference.websites.map(known)];
    expect(seen).toEqual(expected);
    // Not every server returns the parameters; one that does returns what is stored.
    const stored = websiteSeeds(16).map(({ exclude_params }) => exclude_params?.trim().split(/\r?\n/));
    for (const [at, { state }] of told.websites.entries())
      if (state.excludeParams !== undefined)
        expect(state.excludeParams).toEqual(website.inputs.excludeParams.canonical(stored[at] ?? []));
  },
);

/** What every server returns for a website. */
function known({ id, state: { excludeParams: _, ...state } }: { id: number; state: Values }) {
  return { id, state };
}
