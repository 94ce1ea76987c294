import { expect, test } from "vitest";
import { providersIn } from "../../cli/stack-records";

test("the settings of a stack's last up are its own, and not those of an explicit provider beside them", () => {
  const provider = (name: string, inputs: object) => {
    const type = "pulumi:providers:pulumi-nodejs";
    return { type, urn: `urn:pulumi:dev::shop::${type}::${name}`, inputs: { ...inputs } };
  };
  const resources = [
    provider("theirs", { "tracking:explicit": "true", "tracking:apiKey": "theirs" }),
    provider("default", { "tracking:apiKey": "ours" }),
  ];
  expect(providersIn({ resources }).own.get("apiKey")).toBe("ours");
});
