import { expect, test } from "vitest";
import { importedState, toImportEntry } from "../../../cli/import/import-entry";
import { website } from "../../../provider/resources";

const found = {
  id: "5",
  values: {
    domain: "Shop.example",
    privacy: "password",
    emailReports: true,
    excludeIps: [],
    excludeParams: ["a"],
  },
};

test("the state of a record that a program declares has no value that the service does not return, and the program's spelling", () => {
  const declared = {
    domain: "shop.example",
    privacy: "public",
    password: "secret",
    excludeBots: false,
    excludeIps: [],
  };
  expect(importedState(website, found, declared)).toEqual({
    domain: "shop.example",
    privacy: "password",
    emailReports: true,
    excludeIps: [],
  });
});

test("the state of one for which a program is written has all fields, defaults, and no list that is empty", () => {
  expect(importedState(website, found)).toEqual({
    domain: "Shop.example",
    privacy: "password",
    emailReports: true,
    excludeBots: true,
    excludeParams: ["a"],
  });
});

test("an entry has the code that state holds in the dynamic form, and the version over the plugin", () => {
  const [place, state] = [{ name: "shop", parent: "group" }, { domain: "shop.example" }];
  const properties = {
    ...state,
    __provider: 'exports.handler = () => require("pulumi-tracking/host").Website',
  };
  expect(toImportEntry(website, place, "5", state, "dynamic")).toEqual({
    type: "pulumi-nodejs:dynamic/tracking:Website",
    ...place,
    id: "5",
    inputs: properties,
    outputs: properties,
  });
  expect(toImportEntry(website, place, "5", state, "native")).toEqual({
    type: "tracking:index:Website",
    ...place,
    id: "5",
    version: expect.stringMatching(/^\d+\.\d+/),
    inputs: state,
    outputs: state,
  });
});
