import { guardsOf } from "./guards-of.mjs";

/** @type {readonly import("../promises.mjs").Breach[]} */
export const oneRecord = [
  ...guardsOf("one record per declared resource"),
  {
    change: "after an unclear answer, nothing is looked for",
    file: "provider/lifecycle/create.ts",
    code: 'if (error.failure !== "unclear") return explainRejection(error);',
    instead: "return explainRejection(error);",
    test: "test/provider/lifecycle/create.test.ts",
    name: "(reset) it looks again and takes the one record that is new",
  },
  {
    change: "after an ambiguous answer, an older record is mistaken for the new one",
    file: "provider/lifecycle/recover.ts",
    code: "({ id }) => !known.has(id) && (",
    instead: "({ id }) => (",
    test: "test/provider/lifecycle/create.test.ts",
    name: "a record that another has made before is not taken for the new one",
  },
  {
    change: "after an ambiguous answer, a record with an older date is mistaken for the new one",
    file: "provider/lifecycle/recover.ts",
    code: "made < answer.date - elapsed - CLOCK_PRECISION_MS",
    instead: "false",
    test: "test/provider/lifecycle/create.test.ts",
    name: "a record that another has made before is not taken for the new one",
  },
  {
    change: "after an ambiguous answer, one of two new records is taken",
    file: "provider/lifecycle/recover.ts",
    code: "if (others.length > 0)",
    instead: "if (false)",
    test: "test/provider/lifecycle/create.test.ts",
    name: "several that are new are named by their ids, and none is taken",
  },
  {
    change: "every method may be retried",
    file: "provider/api/retry.ts",
    code: 'const idempotent = method !== "POST" || outcome === "unsent" || isThrottled;',
    instead: "const idempotent = true;",
    test: "test/provider/api/retry.test.ts",
    name: "a POST is sent again only where it never left or was turned away",
  },
  {
    change: "a request whose connection broke counts as one that never left",
    file: "provider/api/http.ts",
    code: "if (UNSENT.includes(code) && !isOpen)",
    instead: "if (UNSENT.includes(code))",
    test: "test/provider/api/http.test.ts",
    name: "is not said where a connection that was open ends with ECONNREFUSED",
  },
  {
    change: "a record that another has made meanwhile is not looked for",
    file: "provider/lifecycle/create.ts",
    code: "if (existing.length > 0) return adoptOrRefuse(existing);\n    // A service",
    instead: "// A service",
    test: "test/provider/lifecycle/create.test.ts",
    name: "is named though it only came between the look and the POST",
  },
  {
    change: "each create looks for itself",
    file: "provider/api/record-reader.ts",
    code: "if (conclusive) return records",
    instead: "if (conclusive && false) return records",
    test: "test/provider/lifecycle/create.test.ts",
    name: "many creates of one run share one look",
  },
];

/** @type {readonly import("../promises.mjs").Breach[]} */
export const crash = [
  {
    change: "the command that is named finds nothing to import",
    file: "cli/import/match-declared.ts",
    code: "const [found] = free;",
    instead: "const [found] = [] as typeof free;",
    test: "test/cli/import/match-declared.test.ts",
    name: "is imported under its name if the service has exactly its domain",
  },
  {
    change: "the run that stops does not name the command that mends it",
    file: "provider/lifecycle/create.ts",
    code: 'run "${IMPORT}"',
    instead: 'run "pulumi up"',
    test: "test/provider/lifecycle/create.test.ts",
    name: "is not made a second time (shop.example)",
  },
];
