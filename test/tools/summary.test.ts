import { describe, expect, it } from "vitest";
import { summarize } from "../../tools/summary.mjs";

const empty = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] };

describe("the summary of a test run", () => {
  it("is sound if tests have passed and none failed", () => {
    const report = { ...empty, numPassedTests: 3, numPendingTests: 1, numTodoTests: 1 };
    expect(summarize(report, 0)).toEqual({ passed: 3, failed: 0, skipped: 2, sound: true });
  });

  it("is not sound if no test has run", () => {
    expect(summarize(empty, 0)).toEqual({ passed: 0, failed: 0, skipped: 0, sound: false });
  });

  it("counts a file that could not be loaded as a failure, and no failed test twice", () => {
    const failed = { status: "failed", assertionResults: [{ status: "passed" }, { status: "failed" }] };
    const report = {
      ...empty,
      numPassedTests: 3,
      numFailedTests: 1,
      testResults: [
        failed,
        { status: "failed", assertionResults: [] },
        { status: "passed", assertionResults: [] },
      ],
    };
    expect(summarize(report, 1)).toEqual({ passed: 3, failed: 2, skipped: 0, sound: false });
  });

  it("counts an error outside the tests as a failure", () => {
    expect(summarize({ ...empty, numPassedTests: 3 }, 1)).toMatchObject({ failed: 1, sound: false });
  });
});
