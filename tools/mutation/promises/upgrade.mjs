/** @type {readonly import("../promises.mjs").Breach[]} */
export const statistics = [
  {
    change: "a website is not protected unless the program says so",
    file: "sdk/resource.ts",
    code: "(resource.deletesWith !== undefined && !opts.retainOnDelete)",
    instead: "false",
    test: "test/sdk/protection.test.ts",
    name: "a website is protected, and a pixel is not",
  },
];

/** @type {readonly import("../promises.mjs").Breach[]} */
export const upgrade = [
  {
    change: "the constant text in state changes",
    file: "provider/hosts/dynamic/identity.ts",
    code: 'require("pulumi-tracking/host").${type}`',
    instead: 'require("pulumi-tracking/host")["${type}"]`',
    test: "test/provider/hosts/dynamic/identity.test.ts",
    name: "the code of all resources is what states hold, for ever, and short",
  },
  {
    change: "a type token changes",
    file: "provider/hosts/dynamic/identity.ts",
    code: "`pulumi-nodejs:dynamic/tracking:${type}`",
    instead: "`pulumi-nodejs:dynamic/tracking/index:${type}`",
    test: "test/provider/hosts/dynamic/identity.test.ts",
    name: "the tokens of all resources are those that states hold, for ever",
  },
  {
    change: "a default changes",
    file: "provider/resources/website.ts",
    code: 'excludeBots: flag({ wire: "exclude_bots", default: true })',
    instead: 'excludeBots: flag({ wire: "exclude_bots", default: false })',
    test: "test/provider/hosts/dynamic/earlier-state.test.ts",
    name: "what 0.1.0 stored of a program is what this code would store, and shows no change",
  },
  {
    change: "an argument gets another name",
    file: "provider/resources/pixel.ts",
    code: "name: text(",
    instead: "title: text(",
    test: "test/provider/hosts/dynamic/earlier-state.test.ts",
    name: "what 0.1.0 stored of a program is what this code would store, and shows no change",
  },
  {
    change: "state gets a further entry",
    file: "provider/hosts/dynamic/index.ts",
    code: "return { id, outs: marshal(resource, state) };",
    instead: "return { id, outs: { ...marshal(resource, state), madeBy: 2 } };",
    test: "test/provider/hosts/dynamic/index.test.ts",
    name: "gives the id and what was made",
  },
];
