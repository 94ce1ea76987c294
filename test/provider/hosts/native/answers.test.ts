import { readFileSync } from "node:fs";
import Ajv from "ajv";
import { expect, it } from "vitest";
import { lookups } from "../../../../provider/hosts/native/functions";
import { EngineLog } from "../../../../provider/hosts/native/log";
import { Plugin } from "../../../../provider/hosts/native/plugin";
import { pluginToken } from "../../../../provider/hosts/native/tokens";
import { world } from "../../harness";

const { types, functions } = JSON.parse(readFileSync("schema.json", "utf8"));
const purchaseCode = "11111111-aaaa-4bbb-8ccc-000000000001";
const given: Readonly<Record<string, object>> = {
  getPurchase: { purchaseCode },
  validatePurchase: { purchaseCode },
  getWebsite: { domain: "shop.example" },
  getPixel: { name: "GA" },
};

it.each(lookups.map(({ name }) => name))(
  "%s answers with the types of the schema, as Python and Go demand",
  async (name) => {
    const seed = { websites: [{ id: 7, domain: "shop.example" }], pixels: [{ id: 4, name: "GA" }] };
    const { settings } = await world({ seed });
    const plugin = new Plugin(new EngineLog());
    plugin.configure(settings, "own");
    const { items } = await plugin.invoke(pluginToken("getItems"), {});
    const [{ id: itemId }] = items as [{ id: number }];
    const args = name === "getItem" ? { itemId } : (given[name] ?? {});
    const answer = await plugin.invoke(pluginToken(name), { ...args });
    // Not the words of `types`, which are no JSON schema: only what the answer's type names is compiled.
    const ajv = new Ajv({ strict: false });
    const isValid = ajv.validate(
      { ...functions[pluginToken(name)].outputs, types },
      JSON.parse(JSON.stringify(answer)),
    );
    expect([isValid, ajv.errors]).toEqual([true, null]);
  },
);
