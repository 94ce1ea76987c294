import { expect, test } from "vitest";
import { parseUrn } from "../../../provider/hosts/urn";

test("a URN is split into its parts, whatever the name contains", () =>
  expect(parseUrn("urn:pulumi:dev::shop::my:own:Site$a:b:Pixel::a::b$\nc")).toEqual({
    type: "a:b:Pixel",
    parentType: "my:own:Site",
    name: "a::b$\nc",
  }));
