import { describe, expect, test } from "vitest";
import { catalogue, Privacy, website } from "../../../provider/resources";
import { decode, encode } from "../../../provider/schema/codec";
import { collectionOf } from "../../../provider/schema/collection";
import { isSameRecord } from "../../../provider/schema/identity";
import { validateResource } from "../../../provider/schema/validate";

const everything = {
  domain: "shop.example",
  privacy: Privacy.Password,
  password: "p",
  emailReports: true,
  excludeBots: false,
  excludeParams: ["ref", "utm"],
  excludeIps: ["192.0.2.7"],
};

test("a website is one of the resources that there are, kept by the analytics service", () => {
  expect(catalogue).toContain(website);
  expect([website.type, website.service]).toEqual(["Website", "analytics"]);
  expect(collectionOf(website)).toMatchObject({ path: "/api/v1/websites" });
});

test("a website is sent under the service's names", () => {
  expect(encode(website, everything, Object.keys(everything))).toEqual({
    domain: "shop.example",
    privacy: "2",
    password: "p",
    email: "1",
    exclude_bots: "0",
    exclude_params: "ref\nutm",
    exclude_ips: "192.0.2.7",
  });
});

test("a website is read under the service's names, and its domain under the old one too", () => {
  const raw = { id: 1, url: "shop.example", privacy: 1, email: 0, exclude_bots: 1, exclude_ips: "192.0.2.7" };
  expect(decode(website, { ...raw, exclude_params: "ref" }).values).toEqual({
    domain: "shop.example",
    privacy: "private",
    emailReports: false,
    excludeBots: true,
    excludeIps: ["192.0.2.7"],
    excludeParams: ["ref"],
  });
});

test("a website is private, without reports and without bots, where a program says nothing", () => {
  expect(validateResource(website, {}, { domain: "shop.example" })).toEqual({
    values: { domain: "shop.example", privacy: "private", emailReports: false, excludeBots: true },
    failures: [],
  });
});

test.each<[keyof typeof Privacy, string]>([
  ["Public", "0"],
  ["Private", "1"],
  ["Password", "2"],
])("privacy %s is %s on the wire", (name, code) => {
  expect(encode(website, { privacy: Privacy[name] }, ["privacy"])).toEqual({ privacy: code });
  expect(decode(website, { privacy: code }).values).toEqual({ privacy: Privacy[name] });
});

test("a website is the one in state by its domain alone, and another domain is another website", () => {
  expect(website.key).toBe("domain");
  expect(website.identity).toBeUndefined();
  expect(isSameRecord(website, everything, { id: "1", values: { ...everything, domain: "b.example" } })).toBe(
    false,
  );
  const replacing = Object.entries(website.inputs).filter(([, { replaces }]) => replaces);
  expect(replacing.map(([name]) => name)).toEqual(["domain"]);
});

test("a website takes its statistics with it", () => expect(website.deletesWith).toBe("statistics"));

test("the password is secret, and the list of parameters is not held against the service", () => {
  const named = (trait: "secret" | "writeOnly") =>
    Object.entries(website.inputs)
      .filter(([, field]) => field[trait])
      .map(([name]) => name);
  expect(named("secret")).toEqual(["password"]);
  expect(named("writeOnly")).toEqual(["password", "excludeParams"]);
});

describe("a website whose privacy is password", () => {
  const rule = (args: object) => website.validateCreate?.({ ...args });
  test("needs one where it is made", () =>
    expect(rule({ privacy: "password" })).toEqual({
      field: "password",
      reason: 'is needed for a website whose privacy is "password"',
    }));
  test("may have one", () => expect(rule({ privacy: "password", password: "p" })).toBeUndefined());
  test("is the only one that needs it", () => expect(rule({ privacy: "private" })).toBeUndefined());
});

test("that the statistics page becomes public is said", () => {
  expect(website.inputs.privacy.notice?.("private", "public", "privacy")).toBe(
    "its statistics page becomes public",
  );
  expect(website.inputs.privacy.notice?.("public", "private", "privacy")).toBeUndefined();
});
