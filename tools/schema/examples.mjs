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

/** @param {string} name */
const pascalCase = (name) => name.replace(/^./, (letter) => letter.toUpperCase());

/** In Go, the look-up of one record has another name, since `GetWebsite` reads a resource. @param {string} lookup */
const goName = (lookup) =>
  /^get(Website|Pixel)$/.test(lookup) ? lookup.replace("get", "Lookup") : pascalCase(lookup);

/** How a program in each language looks something up, and what is around its calls. */
const LANGUAGES = {
  typescript: {
    before: () => 'import * as tracking from "pulumi-tracking";\n\n',
    /** @param {string} lookup */
    call: (lookup) => {
      const [result, args] = callOf(lookup);
      const given = list(args, (name, value) => `${name}: ${value}`);
      return `export const ${result} = tracking.${lookup}Output(${given && `{ ${given} }`});`;
    },
    after: "",
  },
  python: {
    before: () => "import pulumi_tracking as tracking\n\n",
    /** @param {string} lookup */
    call: (lookup) => {
      const [result, args] = callOf(lookup);
      const given = list(args, (name, value) => `${snakeCase(name)}=${value}`);
      return `${result} = tracking.${snakeCase(lookup)}(${given})`;
    },
    after: "",
  },
  go: {
    before: () => `package main

import (
	// The path that "pulumi package add" prints.
	"example.com/pulumi-tracking/sdk/go/tracking"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
`,
    /** @param {string} lookup */
    call: (lookup) => {
      const [result, args] = callOf(lookup);
      const given = list(args, (name, value) => {
        const type = value.startsWith('"') ? "String" : "Int";
        return `${pascalCase(name)}: pulumi.${type}(${value})`;
      });
      const taken = given && `, tracking.${goName(lookup)}OutputArgs{${given}}`;
      return `\t\tctx.Export("${result}", tracking.${goName(lookup)}Output(ctx${taken}))`;
    },
    after: "\n\t\treturn nil\n\t})\n}",
  },
  csharp: {
    before: () => `using Pulumi;
using Tracking = Pulumi.Tracking;

return await Deployment.RunAsync(() =>
{
`,
    /** @param {string} lookup */
    call: (lookup) => {
      const [result, args] = callOf(lookup);
      const given = list(args, (name, value) => `${pascalCase(name)} = ${value}`);
      return `    var ${result} = Tracking.${pascalCase(lookup)}.Invoke(${given && `new() { ${given} }`});`;
    },
    after: "\n});",
  },
  java: {
    /** @param {readonly string[]} lookups */
    before: (lookups) => `package generated_program;

import com.pulumi.Context;
import com.pulumi.Pulumi;
import pulumi.tracking.TrackingFunctions;
${lookups
  .filter((lookup) => Object.keys(callOf(lookup)[1]).length > 0)
  .map((lookup) => `import pulumi.tracking.inputs.${pascalCase(lookup)}Args;\n`)
  .join("")}
public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
`,
    /** @param {string} lookup */
    call: (lookup) => {
      const [result, args] = callOf(lookup);
      const given = Object.entries(args).map(([name, value]) => `.${name}(${JSON.stringify(value)})`);
      const taken = given.length > 0 && `${pascalCase(lookup)}Args.builder()${given.join("")}.build()`;
      return `        final var ${result} = TrackingFunctions.${lookup}(${taken || ""});`;
    },
    after: "\n    }\n}",
  },
  yaml: {
    before: () => "name: shop\nruntime: yaml\nvariables:\n",
    /** @param {string} lookup */
    call: (lookup) => {
      const [result, args] = callOf(lookup);
      const given = list(args, (name, value) => `${name}: ${value}`);
      const lines = [`  ${result}:`, "    fn::invoke:", `      function: tracking:index:${lookup}`];
      return [...lines, ...(given === "" ? [] : [`      arguments: { ${given} }`])].join("\n");
    },
    after: "",
  },
};

/** A program with these look-ups in each language, as fenced blocks. @param {readonly string[]} lookups */
export function lookupPrograms(lookups) {
  return Object.entries(LANGUAGES)
    .map(
      ([language, { before, call, after }]) =>
        `\`\`\`${language}\n${before(lookups)}${lookups.map(call).join("\n")}${after}\n\`\`\``,
    )
    .join("\n\n");
}
