/**
 * @typedef {object} Report the part of vitest's JSON report that matters here
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {readonly { status: string, assertionResults: readonly { status: string }[] }[]} testResults by file
 */

/**
 * Summarizes a run of the tests. A file that failed outside its tests, such as one that could not be loaded, counts
 * as one failure, and so does any other reason for vitest to fail, such as an uncaught error. The run is
 * sound if tests have run and nothing went wrong, in the tests or outside them.
 *
 * @param {Report} report
 * @param {number | null} code vitest's exit code
 */
export function summarize(
  { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults },
  code,
) {
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((each) => each.status === "failed"),
  );
  const beside = code === 0 ? 0 : 1;
  const failed = numFailedTests + broken.length || beside;
  return {
    passed: numPassedTests,
    failed,
    skipped: numPendingTests + numTodoTests,
    sound: failed === 0 && numPassedTests > 0,
  };
}
