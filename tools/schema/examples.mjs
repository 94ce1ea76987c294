/**
 * Programs that look something up, in each language: what the schema shows beside a look-up, and the reference all together.
 *
 * @typedef {Readonly<Record<string, string | number>>} Args
 */

/** For each look-up the name of its result, and its arguments. The emulator has the marketplace's. */
const CALLS = /** @type {Readonly<Record<string, readonly [name: string, args: Args]>>} */ ({
  getWebsite: ["website", { domain: "shop.example.com" }],
  getWebsites: ["websites", { search: "shop" }],
  getPixel: ["pixel", { name: "Analytics" }],
  getPixels: ["pixels", { type: "google-analytics" }],
  getAccount: ["account", {}],
  getItems: ["items", {}],
  getItem: ["item", { itemId: 101 }],
  getPurchase: ["purchase", { purchaseCode: "11111111-aaaa-4bbb-8ccc-000000000001" }],
  validatePurchase: ["validation", { purchaseCode: "11111111-aaaa-4bbb-8ccc-000000000001" }],
});

/** @param {string} name */
const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** @param {Args} args @param {(name: string, value: string) => string} write */
const list = (args, write) =>
  Object.entries(args)
    .map(([name, value]) => write(name, JSON.stringify(value)))
    .join(", ");

/** @param {string} lookup */
function callOf(lookup) {
  const call = CALLS[lookup];
  if (call === undefined) throw new Error(`tools/schema/examples.mjs has no call of ${lookup}.`);
  return call;
}

/** How a program in each language looks something up, and what is around its calls. */
const LANGUAGES = {
  typescript: {
    before: 'import * as tracking from "pulumi-tracking";\n\n',
    /** @param {string} lookup */
    call: (lookup) => {
      const [result, args] = callOf(lookup);
      const given = list(args, (name, value) => `${name}: ${value}`);
      return `export const ${result} = tracking.${lookup}Output(${given && `{ ${given} }`});`;
    },
  },
  python: {
    before: "import pulumi_tracking as tracking\n\n",
    /** @param {string} lookup */
    call: (lookup) => {
      const [result, args] = callOf(lookup);
      const given = list(args, (name, value) => `${snakeCase(name)}=${value}`);
      return `${result} = tracking.${snakeCase(lookup)}(${given})`;
    },
  },
  yaml: {
    before: "name: shop\nruntime: yaml\nvariables:\n",
    /** @param {string} lookup */
    call: (lookup) => {
      const [result, args] = callOf(lookup);
      const given = list(args, (name, value) => `${name}: ${value}`);
      const lines = [`  ${result}:`, "    fn::invoke:", `      function: tracking:index:${lookup}`];
      return [...lines, ...(given === "" ? [] : [`      arguments: { ${given} }`])].join("\n");
    },
  },
};

/** A program with these look-ups in each language, as fenced blocks. @param {readonly string[]} lookups */
export function lookupPrograms(lookups) {
  return Object.entries(LANGUAGES)
    .map(
      ([language, { before, call }]) => `\`\`\`${language}\n${before}${lookups.map(call).join("\n")}\n\`\`\``,
    )
    .join("\n\n");
}
