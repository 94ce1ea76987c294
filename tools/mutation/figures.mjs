/** The promises about figures, broken. @type {readonly import("./promises.mjs").Breach[]} */
export const figures = [
  {
    promise: "200 creates under a rate limit take at most 1.15 times the least possible",
    change: "a pause is a third longer than the service asks",
    file: "provider/api/rate-limiter.ts",
    code: "const until = Date.now() + milliseconds;",
    instead: "const until = Date.now() + 1.3 * milliseconds;",
    test: "test/provider/api/pace.test.ts",
    name: "200 creates under 60 requests in 6 s take at most 1.15 times the least possible, and few are turned away",
  },
  {
    promise: "at most 5 % of requests are turned away",
    change: "what the service says is left is ignored",
    file: "provider/api/rate-limiter.ts",
    code: "this.inFlight < (this.left > 0 ? MAX_CONCURRENCY : 1)",
    instead: "this.inFlight < MAX_CONCURRENCY",
    test: "test/provider/api/pace.test.ts",
    name: "200 creates under 60 requests in 6 s take at most 1.15 times the least possible, and few are turned away",
  },
  {
    promise: "an endless answer costs at most 20 MB",
    change: "eight times as much is read",
    file: "provider/api/http.ts",
    code: "if (size > MAX_BODY_BYTES)",
    instead: "if (size > 8 * MAX_BODY_BYTES)",
    test: "test/provider/api/http.test.ts",
    name: "that never ends (gzip) is given up, and costs at most 20 MB",
  },
];
