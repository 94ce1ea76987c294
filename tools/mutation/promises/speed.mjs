/** @type {readonly import("../promises.mjs").Breach[]} */
export const state = [
  {
    change: "the constant text has more than 80 bytes",
    file: "provider/hosts/dynamic/identity.ts",
    code: 'return `exports.handler = () => require("pulumi-tracking/host").${type}`;',
    instead:
      'return `exports.handler = () => { const host = require("pulumi-tracking/host"); return host.${type}; }`;',
    test: "test/provider/hosts/dynamic/identity.test.ts",
    name: "the code of all resources is what states hold, for ever, and short",
  },
  {
    change: "what only a check is told gets into state",
    file: "provider/hosts/marshal.ts",
    code: '!name.startsWith("__") && value !== undefined && value !== null',
    instead: "value !== undefined && value !== null",
    test: "test/provider/hosts/marshal.test.ts",
    name: "lacks what is not set, and the engine's own members",
  },
];

/** @type {readonly import("../promises.mjs").Breach[]} */
export const requests = [
  {
    change: "each record is read by itself",
    file: "provider/api/record-reader.ts",
    code: "const isUseless =",
    instead: "const isUseless = true ||",
    test: "test/provider/api/record-reader.test.ts",
    name: "1000 of 1000 are 10 if each is changed or deleted at once",
  },
  {
    change: "a list is read to its end for a few records",
    file: "provider/api/record-reader.ts",
    code: "return this.requested > 1 && this.sent + more <= 2 * this.requested + 2;",
    instead: "return true;",
    test: "test/provider/api/record-reader.test.ts",
    name: "3 of 1000 are { list: 1, single: 3 }",
  },
  {
    change: "each write is read back",
    file: "provider/lifecycle/verify.ts",
    code: "if (doubtful.length === 0) return undefined;",
    instead: "",
    test: "test/provider/lifecycle/create.test.ts",
    name: "it looks first, sends all that it was given in one POST, and needs no third request",
  },
  {
    change: "an update without a change is sent",
    file: "provider/lifecycle/crud.ts",
    code: "if (names.length === 0) return wanted;",
    instead: "",
    test: "test/provider/lifecycle/crud.test.ts",
    name: "sends nothing where nothing has changed",
  },
  {
    change: "an update sends what has not changed",
    file: "provider/lifecycle/put.ts",
    code: "const form = encode(resource, wanted, names);",
    instead: "const form = encode(resource, wanted, updatable(resource, wanted));",
    test: "test/provider/lifecycle/crud.test.ts",
    name: "sends what changed in one PUT, and nothing else",
  },
  {
    change: "the reader of lists grows beyond 200 lines",
    file: "provider/api/record-reader.ts",
    code: "/** How the records of a collection are found. */",
    instead:
      "// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n// More.\n/** How the records of a collection are found. */",
    test: "test/house/imports.test.ts",
    name: "have 200 lines at most, whatever the reason",
  },
];

/** @type {readonly import("../promises.mjs").Breach[]} */
export const loading = [
  {
    change: "got is loaded with the host",
    file: "provider/api/http.ts",
    code: 'import type { Agents, Response } from "got";',
    instead: 'import "got";\nimport type { Agents, Response } from "got";',
    test: "test/provider/hosts/dynamic/loading.test.ts",
    name: "the host loads zod with the first check and got with the first change, and neither before",
  },
  {
    change: "zod is loaded with the host",
    file: "provider/schema/zod.ts",
    code: 'export function zod(): Zod {\n  return require("zod");',
    instead: 'const loaded: Zod = require("zod");\nexport function zod(): Zod {\n  return loaded;',
    test: "test/provider/hosts/dynamic/loading.test.ts",
    name: "the host loads zod with the first check and got with the first change, and neither before",
  },
];
