/** @type {readonly import("../promises.mjs").Breach[]} */
export const pace = [
  {
    change: "a pause is a third longer than the service asks",
    file: "provider/api/rate-limiter.ts",
    code: "const until = Date.now() + milliseconds;",
    instead: "const until = Date.now() + 1.3 * milliseconds;",
    test: "test/provider/api/pace.test.ts",
    name: "200 creates under 60 requests in 6 s take at most 1.15 times the least possible, and few are turned away",
  },
  {
    change: "what the service says is left is ignored",
    file: "provider/api/rate-limiter.ts",
    code: "this.inFlight < (this.left > 0 ? MAX_CONCURRENCY : 1)",
    instead: "this.inFlight < MAX_CONCURRENCY",
    test: "test/provider/api/pace.test.ts",
    name: "200 creates under 60 requests in 6 s take at most 1.15 times the least possible, and few are turned away",
  },
  {
    change: "each caller waits for itself",
    file: "provider/api/client.ts",
    code: "if (isThrottled) rateLimiter.pause(decision.wait);",
    instead: "if (isThrottled) await sleep(decision.wait, signal);",
    test: "test/provider/api/client.test.ts",
    name: "everyone waits together",
  },
];

/** @type {readonly import("../promises.mjs").Breach[]} */
export const interrupts = [
  {
    change: "an unclear create is looked for longer than an interrupted run has",
    file: "provider/lifecycle/recover.ts",
    code: "const RECHECK_DELAYS_MS = [1000, 2500];",
    instead: "const RECHECK_DELAYS_MS = [1000, 2500, 5000];",
    test: "test/provider/lifecycle/create.test.ts",
    name: "it is looked for during 3.5 s and no longer, since an interrupted run has little more",
  },
  {
    change: "what waits for its turn is sent though the run was cancelled",
    file: "provider/api/rate-limiter.ts",
    code: '      signal?.addEventListener("abort", leave);\n',
    instead: "",
    test: "test/provider/api/rate-limiter.test.ts",
    name: "sends nothing that waits for its turn, and the others go on",
  },
  {
    change: "a pause before a retry is waited for though the run was cancelled",
    file: "provider/api/sleep.ts",
    code: '    signal?.addEventListener("abort", done);\n',
    instead: "",
    test: "test/provider/api/sleep.test.ts",
    name: "a wait that is called off ends at once, and leaves no timer behind",
  },
  {
    change: "a retry that is called off does not say what had failed",
    file: "provider/api/client.ts",
    code: "throw signal?.aborted ? (last ?? cancelled(request)) : error;",
    instead: "throw error;",
    test: "test/provider/api/client.test.ts",
    name: "a run that is cancelled while a request waits to be sent again tells at once what had failed",
  },
  {
    change: "creates wait for one another, so that an interrupted run takes longer",
    file: "provider/api/rate-limiter.ts",
    code: "const MAX_CONCURRENCY = 16;",
    instead: "const MAX_CONCURRENCY = 2;",
    test: "test/provider/api/rate-limiter.test.ts",
    name: "sixteen requests are under way at once, and the others follow in their order",
  },
];
