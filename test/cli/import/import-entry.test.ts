import { expect, test } from "vitest";
import { importedState } from "../../../cli/import/import-entry";
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
