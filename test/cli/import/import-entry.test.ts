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

test("what a program marks as secret is not in it either, nor read as a text, and the next up sends it", () => {
  const declared = { domain: "shop.example", privacy: "[secret]", excludeIps: ["192.0.2.1", "[secret]"] };
  const values = { ...found.values, excludeIps: ["192.0.2.1", "192.0.2.77"] };
  expect(importedState(website, { ...found, values }, { ...declared, excludeParams: "[secret]" })).toEqual({
    domain: "shop.example",
    emailReports: true,
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
