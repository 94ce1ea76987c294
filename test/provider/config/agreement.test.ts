import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { EXPLICIT, endpoint } from "../../../provider/config";
import { assertAgreed } from "../../../provider/config/agreement";
import { ledgerAt } from "../../../provider/hosts/run-file";

const stack = { apiKey: "hunter2", dataApiKey: "hunter3", dataBaseUrl: "https://d.example" };

/** A process of a run that leads to the data service. */
function processIn(run: string) {
  const shared = ledgerAt(run).settings;
  return (settings: Readonly<Record<string, string>>) =>
    assertAgreed(endpoint("data", { get: (name) => ({ ...stack, ...settings })[name] }, {}), shared);
}

test("of two processes of a run with other settings, the later one is refused", () => {
  const run = `agreement ${randomUUID()}`;
  processIn(run)({});
  const later = processIn(run);
  const other = { dataBaseUrl: "https://other.example", dataApiKey: "hunter4" };
  expect(() => later(other)).toThrow(
    /^the program's own process and Pulumi's have different values of TRACKING_DATA_API_KEY and TRACKING_DATA_BASE_URL, .*\. Set tracking:dataApiKey and tracking:dataBaseUrl by stack.setConfig, or give both/,
  );
  expect(() => later(other)).not.toThrow(/hunter|example/);
});

test("processes agree on the same settings, on what the service does not need, and with an explicit provider", () => {
  const run = `agreement ${randomUUID()}`;
  processIn(run)({});
  for (const other of [
    {},
    { analyticsBaseUrl: "https://a.example" },
    { [EXPLICIT]: "true", apiKey: "other" },
  ])
    expect(() => processIn(run)(other)).not.toThrow();
});
