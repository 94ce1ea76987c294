import { expect, test } from "vitest";
import { parseUrn } from "../../../provider/hosts/urn";

test("the parts of a URN are told apart, whatever the name contains", () =>
  expect(parseUrn("urn:pulumi:dev::shop::my:own:Site$a:b:Pixel::a::b$\nc")).toEqual({
    type: "a:b:Pixel",
    parentType: "my:own:Site",
    name: "a::b$\nc",
  }));
