import { describe, expect, it } from "vitest";
import { deviations } from "../../../tools/demo/check.mjs";

const ESC = String.fromCharCode(27);
const time = "2026-01-01T00:00:00.000Z";
const pixel = {
  id: 1,
  name: "GA",
  type: "google-analytics",
  value: "G-1",
  created_at: time,
  updated_at: time,
};
const happened = {
  code: 0,
  output: `Resources:\n    ${ESC}[32m+ 2${ESC}[0m created\n`,
  writes: ["POST /b", "POST /a"],
  holds: { websites: [], pixels: [pixel] },
};
const wanted = {
  says: ["+ 2 created"],
  writes: ["POST /a", "POST /b"],
  holds: { websites: [], pixels: [{ id: 1, value: "G-1" }] },
};

describe("a step of the demo", () => {
  it("passes in whatever order requests were sent, with colours too", () => {
    expect(deviations(wanted, happened)).toEqual([]);
  });

  it("fails if pulumi has another exit code than expected", () => {
    expect(deviations({ ...wanted, refused: true }, happened)).toEqual([
      "pulumi ended with exit code 0, where a refusal was due",
    ]);
    expect(deviations(wanted, { ...happened, code: 255 })).toEqual([
      "pulumi ended with exit code 255, where success was due",
    ]);
  });

  it("fails if pulumi does not print the expected text", () => {
    expect(deviations({ ...wanted, says: ["3 created"] }, happened)).toEqual([
      'pulumi did not say "3 created"',
    ]);
  });

  it("fails if another change was sent", () => {
    expect(deviations({ ...wanted, writes: [] }, happened)).toEqual([
      "the service was sent POST /a, POST /b, where none was due",
    ]);
  });

  it("fails if the service has a wrong record, or one too many", () => {
    const holds = { websites: [], pixels: [{ value: "G-2" }] };
    expect(deviations({ ...wanted, holds }, happened)).toEqual([
      'value of pixel 1 in the list is "G-1", where "G-2" was due',
    ]);
    expect(deviations({ ...wanted, holds: { websites: [], pixels: [] } }, happened)).toEqual([
      "the service holds 1 pixels, where 0 were due",
    ]);
  });
});
