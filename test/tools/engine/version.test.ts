import { describe, expect, it } from "vitest";
import { compareVersions, ENGINE_VERSION, isNewEnough } from "../../../tools/engine/version.mjs";

describe("the engine's version", () => {
  it.each(["3.254.0", "v3.258.0", "3.1000.0", "3.255.0-alpha.1"])("takes %s", (version) => {
    expect(isNewEnough(version)).toBe(true);
  });

  it.each(["3.253.9", "3.99.0", "3.254.0-alpha.7", "2.300.0", "4.0.0", "", "tmp", "3.254"])(
    "does not take '%s'",
    (version) => {
      expect(isNewEnough(version)).toBe(false);
    },
  );

  it("sorts by number, not by letter, and a preview before its release", () => {
    const versions = ["3.258.0", "3.99.1", "3.1000.0", "3.258.0-beta", "tmp"];
    expect(versions.sort(compareVersions)).toEqual(["tmp", "3.99.1", "3.258.0-beta", "3.258.0", "3.1000.0"]);
  });

  it("to install is itself new enough", () => {
    expect(isNewEnough(ENGINE_VERSION)).toBe(true);
  });
});
