import type * as pulumi from "@pulumi/pulumi";
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  Pixel,
  type PixelArgs,
  PixelType,
  Privacy,
  type ProviderArgs,
  Website,
  type WebsiteArgs,
} from "../../sdk";

type Required<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];

describe("arguments", () => {
  test("are those there are, of which only these are required", () => {
    expectTypeOf<Required<WebsiteArgs>>().toEqualTypeOf<"domain">();
    expectTypeOf<keyof WebsiteArgs>().toEqualTypeOf<
      | ("domain" | "privacy" | "password" | "emailReports" | "excludeBots")
      | ("excludeParams" | "excludeIps" | "adopt")
    >();
    expectTypeOf<Required<PixelArgs>>().toEqualTypeOf<"name" | "type" | "value">();
    expectTypeOf<keyof PixelArgs>().toEqualTypeOf<"name" | "type" | "value" | "adopt">();
    expectTypeOf<Required<ProviderArgs>>().toEqualTypeOf<never>();
  });
  test("take lists as a whole or line by line", () => {
    expectTypeOf<pulumi.Output<string[]>>().toExtend<WebsiteArgs["excludeIps"]>();
    expectTypeOf<(string | pulumi.Output<string>)[]>().toExtend<WebsiteArgs["excludeIps"]>();
    expectTypeOf<string>().not.toExtend<WebsiteArgs["excludeIps"]>();
  });
});

test("outputs are what a server always has, and possibly undefined what it need not have", () => {
  expectTypeOf<Website["domain"]>().toEqualTypeOf<pulumi.Output<string>>();
  expectTypeOf<Website["password"]>().toEqualTypeOf<pulumi.Output<string | undefined>>();
  expectTypeOf<Website["excludeParams"]>().toEqualTypeOf<pulumi.Output<string[] | undefined>>();
  expectTypeOf<Website["id"]>().toEqualTypeOf<pulumi.Output<pulumi.ID>>();
  expectTypeOf<Website>().not.toHaveProperty("adopt");
  // A default is filled in.
  expectTypeOf<Website["privacy"]>().toEqualTypeOf<pulumi.Output<Privacy>>();
  expectTypeOf<Website["emailReports"]>().toEqualTypeOf<pulumi.Output<boolean>>();
  expectTypeOf<Pixel["type"]>().toEqualTypeOf<pulumi.Output<PixelType | "x">>();
});

describe("Privacy and PixelType", () => {
  test("are values, in the words of the contract", () => {
    expect(Object.values(Privacy)).toEqual(["public", "private", "password"]);
    expect(Object.values(PixelType)).toEqual([
      "adroll",
      "bing",
      "facebook",
      "google-ads",
      "google-analytics",
      "google-tag-manager",
      "linkedin",
      "pinterest",
      "quora",
      "twitter",
    ]);
  });
  test("are types, of the same words", () => {
    expectTypeOf<Privacy>().toEqualTypeOf<"public" | "private" | "password">();
    expectTypeOf(Privacy.Public).toEqualTypeOf<"public">();
    expectTypeOf<(typeof PixelType)[keyof typeof PixelType]>().toEqualTypeOf<PixelType>();
    expectTypeOf(PixelType.GoogleAnalytics).toEqualTypeOf<"google-analytics">();
    expectTypeOf<string>().not.toExtend<PixelType>();
  });
});

test("the classes are named as their resources are", () => {
  expect([Website.name, Pixel.name]).toEqual(["Website", "Pixel"]);
});
