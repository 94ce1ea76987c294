import { runtime } from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { isSecret, sanitize } from "../../../provider/api/redact";
import { hasSecret, marshal, unmarshal } from "../../../provider/hosts/marshal";
import { website } from "../../../provider/resources";
import { UNKNOWN } from "../../../provider/schema/resource";

// The host does not load the engine's SDK, and has a copy of these.
const {
  specialSigKey: MARK,
  specialSecretSig: SECRET,
  specialOutputValueSig: OUTPUT,
  unknownValue: TEXT,
} = runtime;

describe("the engine's property map as values", () => {
  test.each([
    ["text", TEXT],
    ["a flag", "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7"],
    ["a number", "3eeb2bf0-c639-47a8-9e75-3b44932eb421"],
    ["a list", "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2"],
    ["an object", "dd056dcd-154b-4c76-9bd3-c8f88648b5ff"],
  ])("has no value of %s that is not known yet, alone or in a list", (_kind, mark) => {
    expect(unmarshal({ domain: mark, excludeIps: ["192.0.2.1", mark] })).toEqual({
      domain: UNKNOWN,
      excludeIps: ["192.0.2.1", UNKNOWN],
    });
  });

  test("has secrets and outputs as their values, including in and around a list", () => {
    const secret = (value: unknown) => ({ [MARK]: SECRET, value });
    expect(
      unmarshal({
        password: secret("word"),
        excludeIps: secret([secret("192.0.2.1"), TEXT]),
        domain: { [MARK]: OUTPUT, value: secret("shop.example.com"), secret: true },
        privacy: { [MARK]: OUTPUT },
      }),
    ).toEqual({
      password: "word",
      excludeIps: ["192.0.2.1", UNKNOWN],
      domain: "shop.example.com",
      privacy: UNKNOWN,
    });
  });

  test("hides what is marked as secret from then on, including an element of a list and a whole list", () => {
    unmarshal({
      value: { [MARK]: SECRET, value: "AW-270819" },
      excludeIps: [{ [MARK]: SECRET, value: "192.0.2.77" }],
    });
    expect(sanitize("sent AW-270819 to 192.0.2.77")).toBe("sent (secret) to (secret)");
    unmarshal({ excludeIps: { [MARK]: SECRET, value: ["192.0.2.81", "192.0.2.82"] } });
    expect(sanitize("sent 192.0.2.81 and 192.0.2.82")).toBe("sent (secret) and (secret)");
    const listed = { [MARK]: SECRET, value: "192.0.2.77" };
    expect([[listed], ["192.0.2.9", listed], ["192.0.2.9"], listed].map(hasSecret)).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect([["192.0.2.9", "192.0.2.77"], ["192.0.2.9"], 7].map(isSecret)).toEqual([true, false, false]);
  });

  test("lacks what is not set, and the engine's own members", () => {
    expect(unmarshal({ domain: null, privacy: undefined, __defaults: [], excludeIps: [] })).toEqual({
      excludeIps: [],
    });
  });

  test("leaves an object with another mark as it is", () => {
    expect(unmarshal({ domain: { [MARK]: "other", value: "a" } })).toEqual({
      domain: { [MARK]: "other", value: "a" },
    });
  });
});

test("values as the engine's property map are not known yet where a preview can't know them, secrets too", () => {
  expect(marshal(website, { domain: UNKNOWN, password: UNKNOWN })).toEqual({ domain: TEXT, password: TEXT });
});
