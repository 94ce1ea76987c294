import { expect, test } from "vitest";
import { Privacy, website } from "../../../provider/resources";
import { decode, encode } from "../../../provider/schema/codec";

const everything = {
  domain: "shop.example",
  privacy: Privacy.Password,
  password: "p",
  emailReports: true,
  excludeBots: false,
  excludeParams: ["ref", "utm"],
  excludeIps: ["192.0.2.7"],
};

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
  const codes = [Privacy.Public, Privacy.Private].map((privacy) => encode(website, { privacy }, ["privacy"]));
  expect(codes).toEqual([{ privacy: "0" }, { privacy: "1" }]);
});

test("a website is read under the service's names", () => {
  const raw = {
    id: 1,
    domain: "shop.example",
    privacy: 1,
    email: 0,
    exclude_bots: 1,
    exclude_ips: "192.0.2.7",
  };
  expect(decode(website, { ...raw, exclude_params: "ref" }).values).toEqual({
    domain: "shop.example",
    privacy: "private",
    emailReports: false,
    excludeBots: true,
    excludeIps: ["192.0.2.7"],
    excludeParams: ["ref"],
  });
});
