import { expect, test } from "vitest";
import { codeOf, tokenOf } from "../../../../provider/hosts/dynamic/code";
import { catalogue } from "../../../../provider/resources";

test("the tokens of all resources are those that states hold, and never change", () => {
  expect(catalogue.map(tokenOf)).toEqual([
    "pulumi-nodejs:dynamic/tracking:Website",
    "pulumi-nodejs:dynamic/tracking:Pixel",
  ]);
});

test("the code of all resources is what states hold, and never changes", () => {
  expect(catalogue.map(codeOf)).toEqual([
    'exports.handler = () => require("pulumi-tracking/host").Website',
    'exports.handler = () => require("pulumi-tracking/host").Pixel',
  ]);
});
