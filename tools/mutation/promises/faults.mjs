/** @type {readonly import("../promises.mjs").Breach[]} */
export const cutCreates = [
  {
    change: "a list that lags behind is looked at once",
    file: "provider/lifecycle/recover.ts",
    code: "const RECHECK_DELAYS_MS = [1000, 2500];",
    instead: "const RECHECK_DELAYS_MS: number[] = [];",
    test: "test/provider/lifecycle/create.test.ts",
    name: "it finds the one record in a list that is some seconds behind",
  },
  {
    change: "an id beyond 2^53 is rounded",
    file: "provider/schema/codec.ts",
    code: "Number.isSafeInteger(raw) && raw >= 0 ? String(raw)",
    instead: "true ? String(raw)",
    test: "test/faults/faults.test.ts",
    name: "A29, an id beyond 2^53, in the answer and in the list is survived by a Website",
  },
  {
    change: "a 201 without an id is an error",
    file: "provider/lifecycle/create.ts",
    code: "if (made.id === undefined)\n",
    instead: "if (false)\n",
    test: "test/provider/lifecycle/create.test.ts",
    name: "(a record without an id) it looks again and takes the one record that is new",
  },
  {
    change: "a name that is taken is told as any refusal",
    file: "provider/lifecycle/create.ts",
    code: "if (!taken) throw describeFailure",
    instead: "if (true) throw describeFailure",
    test: "test/faults/faults.test.ts",
    name: "A16, 409, and no record shows who has the key is survived by a Website",
  },
  {
    change: "a 503 with Retry-After is not sent again",
    file: "provider/api/retry.ts",
    code: "outcome === 429 || (outcome === 503 && retryAfter(header, now) !== undefined)",
    instead: "outcome === 429",
    test: "test/provider/api/client.test.ts",
    name: "a 503 with Retry-After is a POST turned away, and sent again",
  },
  {
    change: "a certificate that is not trusted leaves it unclear whether the request arrived",
    file: "provider/api/http.ts",
    code: "if (CERTIFICATE.test(code) && !isOpen)",
    instead: "if (false)",
    test: "test/provider/api/http.test.ts",
    name: "since its certificate is not trusted means that nothing was sent, and says what helps",
  },
  {
    change: "a domain that another tenant holds is refused without saying so",
    file: "provider/lifecycle/create.ts",
    code: "return `where the ${resource.key} is taken, another account of the service may hold it`;",
    instead: 'return "";',
    test: "test/provider/lifecycle/create.test.ts",
    name: "a domain that another tenant holds is refused with the field's name and a hint",
  },
];

/** @type {readonly import("../promises.mjs").Breach[]} */
export const deaths = [
  {
    change: "a delete that a killed run has done is an error for the next one",
    file: "provider/lifecycle/crud.ts",
    code: "if (found === undefined) return;\n  assertSameRecord",
    instead: 'if (found === undefined) throw new LifecycleError("gone");\n  assertSameRecord',
    test: "test/provider/lifecycle/crud.test.ts",
    name: "of a missing record is done, with proof, and of a missing service is not",
  },
];

/** @type {readonly import("../promises.mjs").Breach[]} */
export const reads = [
  {
    change: "a flag as text is not understood",
    file: "provider/schema/kinds.ts",
    code: 'if (raw === true || raw === "true") return true;',
    instead: "if (raw === true) return true;",
    test: "test/provider/schema/kinds.test.ts",
    name: 'decodes "true" as true',
  },
  {
    change: "a password that an old server answers gets into state",
    file: "provider/schema/kinds.ts",
    code: "decode: (raw) => (raw === false || raw === 0 ? null : undefined),",
    instead: "decode: (raw) => (raw === false || raw === 0 ? null : (raw as string)),",
    test: "test/provider/schema/kinds.test.ts",
    name: "takes no server at its word, whatever it says is set",
  },
  {
    change: "a list that shows drift agrees with state",
    file: "provider/schema/compare.ts",
    code: "value !== null && field.matches(known, value)",
    instead: "value !== null",
    test: "test/provider/schema/compare.test.ts",
    name: "but not where it says something else",
  },
];
