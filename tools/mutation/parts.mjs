/**
 * Which files are mutated together, which tests judge them, and the percentage of mutants that these must detect.
 * Only the tests that mirror a file or its folder judge it, so that a test of the whole does not replace one that
 * would name the error. Each file of `provider/` is in one part.
 *
 * @type {Readonly<Record<string, { mutate: readonly string[], tests: readonly string[], goal: number }>>}
 */
export const parts = {
  retry: { mutate: ["api/retry"], tests: ["api/retry"], goal: 95 },
  redact: { mutate: ["api/redact"], tests: ["api/redact"], goal: 95 },
  wire: {
    mutate: ["schema/{codec,compare,identity,collection}"],
    tests: ["schema/{codec,compare,identity,collection}"],
    goal: 95,
  },
  lifecycle: { mutate: ["lifecycle/*"], tests: ["lifecycle/*"], goal: 95 },
  schema: {
    mutate: ["schema/!(codec|compare|identity|collection)"],
    tests: ["schema/*"],
    goal: 90,
  },
  resources: { mutate: ["resources/*"], tests: ["resources/*"], goal: 90 },
  settings: { mutate: ["config/*", "suggest", "notices"], tests: ["config/*", "notices"], goal: 90 },
  responses: { mutate: ["api/{api,response,envelope,json,denial}"], tests: ["api/{api,response}"], goal: 90 },
  exchange: {
    mutate: ["api/{http,client,limits,likely-cause,sleep}"],
    tests: ["api/{http,client,sleep}"],
    goal: 90,
  },
  limits: {
    mutate: ["api/{rate-limiter,circuit-breaker}"],
    tests: ["api/{rate-limiter,circuit-breaker}"],
    goal: 90,
  },
  pages: { mutate: ["api/pages"], tests: ["api/pages"], goal: 90 },
  reader: {
    mutate: ["api/{record-reader,fetch-record}"],
    tests: ["api/{record-reader,record-reader-model,fetch-record}"],
    goal: 90,
  },
  shapes: { mutate: ["lookups/shapes"], tests: ["lookups/shapes"], goal: 90 },
  account: { mutate: ["lookups/account"], tests: ["lookups/account"], goal: 90 },
  items: { mutate: ["lookups/item"], tests: ["lookups/item"], goal: 90 },
  purchases: { mutate: ["lookups/purchase"], tests: ["lookups/purchase"], goal: 90 },
  market: {
    mutate: ["lookups/{lookup,marketplace,invoke}"],
    tests: ["lookups/{marketplace,parse-answer,invoke}"],
    goal: 90,
  },
  records: { mutate: ["lookups/records"], tests: ["lookups/{one,many}"], goal: 90 },
  session: { mutate: ["session", "refusals"], tests: ["session", "refusals", "hosts/dynamic/*"], goal: 90 },
  host: { mutate: ["hosts/**/*"], tests: ["hosts/**/*"], goal: 90 },
};
