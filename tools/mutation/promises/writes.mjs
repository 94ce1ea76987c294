/** @type {readonly import("../promises.mjs").Breach[]} */
export const besides = [
  {
    change: "only the fields that were sent are compared",
    file: "provider/lifecycle/verify.ts",
    code: "const all = [...new Set([...sent, ...updatable(resource, wanted)])];",
    instead: "const all = sent;",
    test: "test/provider/lifecycle/update-servers.test.ts",
    name: "where the service changes another field for good, is reported, and is not in state",
  },
  {
    change: "what was stored otherwise than sent is not told",
    file: "provider/lifecycle/verify.ts",
    code: "throw notStored(left);\n}",
    instead: "return { id: change.id, state: change.wanted };\n}",
    test: "test/provider/lifecycle/create.test.ts",
    name: "it is reported with both values where the store is wrong too, and the id is kept",
  },
  {
    change: "a service that resets absent fields is not sent all of them",
    file: "provider/lifecycle/put.ts",
    code: "if (left.names.every((name) => names.includes(name)) || names.length === all.length)\n      throw",
    instead: "if (true)\n      throw",
    test: "test/provider/lifecycle/update-servers.test.ts",
    name: "where the service sets all else to 0, and says so, sends all of it once more",
  },
];

/** @type {readonly import("../promises.mjs").Breach[]} */
export const ownRecord = [
  {
    change: "an id is trusted, whichever record has it now",
    file: "provider/lifecycle/errors.ts",
    code: "if (isSameRecord(resource, state, found)) return;",
    instead: "return;",
    test: "test/provider/lifecycle/crud.test.ts",
    name: "of another record's id writes nothing",
  },
  {
    change: "a delete trusts an id",
    file: "provider/lifecycle/crud.ts",
    code: "assertSameRecord(context, olds, id, found);\n  let answer",
    instead: "let answer",
    test: "test/provider/lifecycle/crud.test.ts",
    name: "delete of another record's id writes nothing",
  },
  {
    change: "a refresh reads another record into state",
    file: "provider/lifecycle/crud.ts",
    code: "if (!isFirst) assertSameRecord(context, state, id, found);",
    instead: "",
    test: "test/provider/lifecycle/crud.test.ts",
    name: "of an id that has become another record's stops with both names",
  },
];

/** @type {readonly import("../promises.mjs").Breach[]} */
export const updatesAndDeletes = [
  {
    change: "`deleted: false` counts as deleted",
    file: "provider/lifecycle/crud.ts",
    code: 'if ([false, 0, "0", "false"].some((no) => no === deleted))',
    instead: "if (false)",
    test: "test/provider/lifecycle/crud.test.ts",
    name: "that the service says it did not do is an error",
  },
  {
    change: "a 404 to a delete of a record that is gone is an error",
    file: "provider/lifecycle/crud.ts",
    code: 'error.failure === "missing" || error.failure === "unclear"',
    instead: 'error.failure === "unclear"',
    test: "test/provider/lifecycle/crud.test.ts",
    name: "is done where the record goes in between and a 404 says so, with a list for proof",
  },
  {
    change: "a delete is done on the word of a 404",
    file: "provider/lifecycle/crud.ts",
    code: "if (doubtful && (await records.fetch(id, olds[resource.key]).catch(() => found)) === undefined) return;",
    instead: "if (doubtful) return;",
    test: "test/provider/lifecycle/crud.test.ts",
    name: "is not done on the word of a 404 while the record is there",
  },
];
