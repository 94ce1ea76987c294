import { figures } from "./figures.mjs";
import { guards } from "./guards.mjs";

/**
 * @typedef {object} Breach one way of breaking a promise
 * @property {string} promise
 * @property {string} change what is wrong then
 * @property {string} file
 * @property {string} code it is there once
 * @property {string} instead
 * @property {string} test the file of the test that has to fail
 * @property {string} name of that test
 * @property {string} [unreachable] why no generated story can detect it
 */

const lifecycle = "provider/lifecycle";
const tests = "test/provider";

/** Every promise, broken; `docs/mutation.md` lists them. @type {readonly Breach[]} */
export const promises = [
  ...guards,
  ...figures,
  {
    promise: "one record per declared resource",
    change: "a record that the check has found is created again",
    file: `${lifecycle}/existing.ts`,
    code: "const matches = filterByKey(resource, key, listed);",
    instead: "const matches: RemoteRecord[] = [];",
    test: `${tests}/lifecycle/create.test.ts`,
    name: "is not made a second time (shop.example)",
  },
  {
    promise: "one record per declared resource",
    change: "after an ambiguous answer, an older record is mistaken for the new one",
    file: `${lifecycle}/recover.ts`,
    code: "({ id }) => !known.has(id) && (",
    instead: "({ id }) => (",
    test: `${tests}/lifecycle/create.test.ts`,
    name: "a record that was there before is not taken for the new one",
  },
  {
    promise: "a POST is retried only if it was never sent",
    change: "every method may be retried",
    file: "provider/api/retry.ts",
    code: 'const idempotent = method !== "POST" || outcome === "unsent" || isThrottled;',
    instead: "const idempotent = true;",
    test: `${tests}/api/retry.test.ts`,
    name: "a POST is sent again only where it never left or was turned away",
  },
  {
    promise: "nothing is adopted unasked",
    change: "an existing record is adopted without `adopt`",
    file: `${lifecycle}/create.ts`,
    code: "if (!mayAdopt) throw alreadyExists(existing);",
    instead: "",
    test: `${tests}/lifecycle/create.test.ts`,
    name: "is not made a second time (shop.example)",
  },
  {
    promise: "nothing is adopted unasked",
    change: "two resources of a run adopt one record",
    file: `${lifecycle}/adopt.ts`,
    code: "if (!claims.take(id, wanted))",
    instead: "if (!claims.take(id, wanted) && false)",
    test: `${tests}/lifecycle/adopt.test.ts`,
    name: "takes no record that another resource has taken since it was looked at",
  },
  {
    promise: "only the exact record is adopted",
    change: "a record that the program declares elsewhere is mistaken for one whose key the service changed",
    file: `${lifecycle}/recover.ts`,
    code: "couldHaveKey(resource, key, found) && !claims.declares(found.values)",
    instead: "couldHaveKey(resource, key, found)",
    test: `${tests}/lifecycle/create.test.ts`,
    name: "what another resource declares to the letter is not taken for what the service made of the domain",
  },
  {
    promise: "nothing is adopted unasked",
    change: "after an ambiguous answer, a record with an older date is mistaken for the new one",
    file: `${lifecycle}/recover.ts`,
    code: "made < answer.date - elapsed - CLOCK_PRECISION_MS",
    instead: "false",
    test: `${tests}/lifecycle/create.test.ts`,
    name: "a record that another has made before is not taken for the new one",
  },
  {
    promise: "only the resource's own record is changed",
    change: "an id is trusted, whichever record has it now",
    file: `${lifecycle}/errors.ts`,
    code: "if (isSameRecord(resource, state, found)) return;",
    instead: "return;",
    test: `${tests}/lifecycle/crud.test.ts`,
    name: "of another record's id writes nothing",
  },
  {
    promise: "a fault never looks like a deletion",
    change: "a 404 in HTML counts like one in JSON",
    file: "provider/api/response.ts",
    code: '? ["rejected", "there is no such address',
    instead: '? ["missing", "there is no such address',
    test: `${tests}/api/fetch-record.test.ts`,
    name: "is not gone where the answer is a 404 in HTML, though there is a list",
  },
  {
    promise: "a fault never looks like a deletion",
    change: "any 404 proves that a record is gone, without a list from the same service",
    file: "provider/api/fetch-record.ts",
    code: "if (!(await isListed(since))) return undefined;",
    instead: "return undefined;",
    test: `${tests}/api/fetch-record.test.ts`,
    name: "is not gone at a wrong path",
  },
  {
    promise: "a rotated key locks nobody out",
    change: "a rejected key is not replaced by the environment's",
    file: "provider/hosts/fallback-key.ts",
    code: "(given) => (isShown(request, given) ? given : undefined),",
    instead: "() => undefined,",
    test: `${tests}/hosts/fallback-key.test.ts`,
    name: "reads, changes and deletes what state holds, and that is said once",
  },
  {
    promise: "a key stays in its account",
    change: "a redirect changes to another key",
    file: "provider/hosts/fallback-key.ts",
    code: "if (error.details.status !== 401) throw error;",
    instead: 'if (error.failure !== "unauthorised") throw error;',
    test: `${tests}/hosts/fallback-key.test.ts`,
    name: "is never tried where the service redirects to its log-in page",
  },
  {
    promise: "a rotated key locks nobody out, and drops nothing",
    change: "another key's list proves that a record is gone",
    file: "provider/hosts/fallback-key.ts",
    code: 'throw error instanceof ApiError && error.failure === "missing" ? doubted(error) : error;',
    instead: "throw error;",
    test: `${tests}/hosts/fallback-key.test.ts`,
    name: "proves of no record that it is gone",
  },
  {
    promise: "statistics are protected",
    change: "a website is not protected unless the program says so",
    file: "sdk/resource.ts",
    code: "(resource.deletesWith !== undefined && !opts.retainOnDelete)",
    instead: "false",
    test: "test/sdk/protection.test.ts",
    name: "a website is protected, and a pixel is not",
  },
  {
    promise: "partial creates keep their id",
    change: "the host drops the id of a partial create",
    file: "provider/hosts/dynamic/without-stack.ts",
    code: "if (!(error instanceof PartialFailure)) throw plain;",
    instead: "throw plain;",
    test: `${tests}/hosts/dynamic/index.test.ts`,
    name: "a record that is half made leaves with its id, what is known of it, and the reason",
  },
  {
    promise: "what was applied is what is shown",
    change: "state takes the service's spelling instead of the program's",
    file: "provider/schema/compare.ts",
    code: "const kept = value === undefined ? known : inProgramSpelling(field, known, value);",
    instead: "const kept = value === undefined ? known : value;",
    test: `${tests}/schema/compare.test.ts`,
    name: "keeps the program's spelling where the server holds the same",
  },
  {
    promise: "no secret is shown",
    change: "text for people is not redacted",
    file: "provider/api/redact.ts",
    code: "const plain = maskSecrets(text)",
    instead: "const plain = text",
    test: `${tests}/api/redact.test.ts`,
    name: "a secret is hidden URL-encoded",
  },
  {
    promise: "redirects are not followed",
    change: "redirects are followed",
    file: "provider/api/http.ts",
    code: "followRedirect: false,",
    instead: "followRedirect: true,",
    test: `${tests}/api/http.test.ts`,
    name: "that redirects with 307 is not followed, and the key goes nowhere",
  },
  {
    promise: "at most 5 MiB of a response are read",
    change: "responses are read to their end",
    file: "provider/api/http.ts",
    code: "if (size > MAX_BODY_BYTES)",
    instead: "if (false)",
    test: `${tests}/api/http.test.ts`,
    name: "of 5 MiB is read, and of one byte more is not",
  },
];
