import { guardsOf } from "./guards-of.mjs";

/** @type {readonly import("../promises.mjs").Breach[]} */
export const adoption = [
  {
    change: "a preview writes to the record that it announces",
    file: "provider/lifecycle/check.ts",
    code: "if (existing === undefined) return undefined;",
    instead:
      'if (existing === undefined) return undefined;\n    await context().api({ method: "PUT", path: `${resource.path}/${existing.id}`, form: { email: "1" } });',
    test: "test/provider/lifecycle/adopt.test.ts",
    name: "says which record will be taken over and what will change on it, and writes nothing",
  },
  {
    change: "one of two candidates is adopted",
    file: "provider/lifecycle/adopt.ts",
    code: "if (matches.length > 1)",
    instead: "if (false)",
    test: "test/provider/lifecycle/adopt.test.ts",
    name: "needs exactly one: of several it takes none, names them and writes nothing",
  },
  ...guardsOf("a record that is held is not taken"),
  ...guardsOf("a record that is held is not changed"),
  ...guardsOf("a record that is leaving is not taken"),
  ...guardsOf("what a run made it never deletes"),
  ...guardsOf("what the program declares is not deleted"),
  ...guardsOf("a run knows what its own processes say, and no more"),
];

/** @type {readonly import("../promises.mjs").Breach[]} */
export const exactMatch = [
  {
    change: "a key matches what a service may have made of it: another domain is adopted",
    file: "provider/schema/identity.ts",
    code: "return canonicalKeys.get(found) === wanted;",
    instead: "return couldHaveKey(resource, key, found);",
    test: "test/provider/lifecycle/adopt.test.ts",
    name: "never takes over what only the service takes for the same, and names it",
  },
  {
    change: "the same: a look-up answers with another domain",
    file: "provider/schema/identity.ts",
    code: "return canonicalKeys.get(found) === wanted;",
    instead: "return couldHaveKey(resource, key, found);",
    test: "test/provider/lookups/one.test.ts",
    name: "a website with www. and one without are two",
  },
  {
    change: "after an ambiguous answer, a near record counts like the exact one",
    file: "provider/lifecycle/recover.ts",
    code: "if (exact.length > 0) return exact;",
    instead: "",
    test: "test/provider/lifecycle/create.test.ts",
    name: "of an exact one and a near one that are both new, the exact one is taken",
  },
  {
    change: "an import brings in another domain",
    file: "cli/import/match-declared.ts",
    code: "const candidates = filterByKey(resource, key, records);",
    instead: "const candidates = records.filter((each) => couldHaveKey(resource, key, each));",
    test: "test/cli/import/match-declared.test.ts",
    name: "is not imported if the service has only the same domain with or without www.",
  },
];
