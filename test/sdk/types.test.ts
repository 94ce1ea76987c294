import type * as pulumi from "@pulumi/pulumi";
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  Pixel,
  type PixelArgs,
  PixelType,
  Privacy,
  type Provider,
  type ProviderArgs,
  Website,
  type WebsiteArgs,
} from "../../sdk";

type Required<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];

describe("the arguments of a website", () => {
  test("are those there are, of which only the domain is required", () => {
    expectTypeOf<Required<WebsiteArgs>>().toEqualTypeOf<"domain">();
    expectTypeOf<keyof WebsiteArgs>().toEqualTypeOf<
      | "domain"
      | "privacy"
      | "password"
      | "emailReports"
      | "excludeBots"
      | "excludeParams"
      | "excludeIps"
      | "adopt"
    >();
  });
  test("take values and outputs of their own types", () => {
    expectTypeOf<WebsiteArgs["domain"]>().toEqualTypeOf<pulumi.Input<string>>();
    expectTypeOf<pulumi.Output<"public">>().toExtend<WebsiteArgs["privacy"]>();
    expectTypeOf<"private">().toExtend<WebsiteArgs["privacy"]>();
    expectTypeOf<pulumi.Output<string>>().toExtend<WebsiteArgs["password"]>();
    expectTypeOf<pulumi.Output<boolean>>().toExtend<WebsiteArgs["emailReports"]>();
    expectTypeOf<Promise<boolean>>().toExtend<WebsiteArgs["excludeBots"]>();
    expectTypeOf<pulumi.Output<boolean>>().toExtend<WebsiteArgs["adopt"]>();
  });
  test("take lists as a whole or line by line", () => {
    for (const _ of ["excludeIps", "excludeParams"] as const) {
      expectTypeOf<string[]>().toExtend<WebsiteArgs[typeof _]>();
      expectTypeOf<pulumi.Output<string>[]>().toExtend<WebsiteArgs[typeof _]>();
      expectTypeOf<pulumi.Output<string[]>>().toExtend<WebsiteArgs[typeof _]>();
      expectTypeOf<(string | pulumi.Output<string>)[]>().toExtend<WebsiteArgs[typeof _]>();
    }
  });
  test("are nothing else", () => {
    expectTypeOf<"secret">().not.toExtend<WebsiteArgs["privacy"]>();
    expectTypeOf<number>().not.toExtend<WebsiteArgs["privacy"]>();
    expectTypeOf<string>().not.toExtend<WebsiteArgs["emailReports"]>();
    expectTypeOf<string>().not.toExtend<WebsiteArgs["excludeIps"]>();
    expectTypeOf<object>().not.toExtend<WebsiteArgs>();
    expectTypeOf<{ domain: number }>().not.toExtend<WebsiteArgs>();
  });
});

describe("the outputs of a website", () => {
  test("are what a server always has, and possibly undefined what it need not have", () => {
    expectTypeOf<Website["domain"]>().toEqualTypeOf<pulumi.Output<string>>();
    expectTypeOf<Website["password"]>().toEqualTypeOf<pulumi.Output<string | undefined>>();
    expectTypeOf<Website["excludeParams"]>().toEqualTypeOf<pulumi.Output<string[] | undefined>>();
    expectTypeOf<Website["excludeIps"]>().toEqualTypeOf<pulumi.Output<string[] | undefined>>();
    expectTypeOf<Website["id"]>().toEqualTypeOf<pulumi.Output<pulumi.ID>>();
    expectTypeOf<Website>().not.toHaveProperty("adopt");
  });
  test("are there where a default is filled in", () => {
    expectTypeOf<Website["privacy"]>().toEqualTypeOf<pulumi.Output<Privacy>>();
    expectTypeOf<Website["emailReports"]>().toEqualTypeOf<pulumi.Output<boolean>>();
    expectTypeOf<Website["excludeBots"]>().toEqualTypeOf<pulumi.Output<boolean>>();
  });
  test("belong to a resource", () => {
    expectTypeOf<Website>().toExtend<pulumi.CustomResource>();
    const get = (): Website => Website.get("shop", "5", { password: "p" }, { protect: true });
    expectTypeOf(get).returns.toExtend<pulumi.CustomResource>();
    expectTypeOf<ConstructorParameters<typeof Website>>().toEqualTypeOf<
      [name: string, args: WebsiteArgs, opts?: pulumi.CustomResourceOptions]
    >();
  });
});

describe("a pixel", () => {
  test("has three arguments, all required, and adopt", () => {
    expectTypeOf<Required<PixelArgs>>().toEqualTypeOf<"name" | "type" | "value">();
    expectTypeOf<keyof PixelArgs>().toEqualTypeOf<"name" | "type" | "value" | "adopt">();
    expectTypeOf<"google-analytics">().toExtend<PixelArgs["type"]>();
    expectTypeOf<PixelType>().toExtend<PixelArgs["type"]>();
    expectTypeOf<"myspace">().not.toExtend<PixelArgs["type"]>();
  });
  test("has them all as outputs", () => {
    expectTypeOf<Pixel["name"]>().toEqualTypeOf<pulumi.Output<string>>();
    expectTypeOf<Pixel["value"]>().toEqualTypeOf<pulumi.Output<string>>();
    expectTypeOf<Pixel["type"]>().toEqualTypeOf<pulumi.Output<PixelType | "x">>();
  });
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

test("an explicit provider takes its settings as inputs, all optional", () => {
  expectTypeOf<Required<ProviderArgs>>().toEqualTypeOf<never>();
  expectTypeOf<pulumi.Output<string>>().toExtend<ProviderArgs["apiKey"]>();
  expectTypeOf<"json">().toExtend<ProviderArgs["marketPostParameters"]>();
  expectTypeOf<"xml">().not.toExtend<ProviderArgs["marketPostParameters"]>();
  expectTypeOf<Provider>().toExtend<pulumi.ProviderResource>();
  expectTypeOf<ConstructorParameters<typeof Provider>>().toEqualTypeOf<
    [name: string, args?: ProviderArgs, opts?: pulumi.ResourceOptions]
  >();
});

test("no part of the public types is any", () => {
  expectTypeOf<WebsiteArgs[keyof WebsiteArgs]>().not.toBeAny();
  expectTypeOf<Website[keyof typeof Website.prototype & ("domain" | "privacy")]>().not.toBeAny();
  expectTypeOf<PixelArgs[keyof PixelArgs]>().not.toBeAny();
  expectTypeOf<ProviderArgs[keyof ProviderArgs]>().not.toBeAny();
  expectTypeOf<InstanceType<typeof Website>>().not.toBeAny();
  expectTypeOf<InstanceType<typeof Pixel>>().not.toBeAny();
});

test("the classes are named as their resources are", () => {
  expect([Website.name, Pixel.name]).toEqual(["Website", "Pixel"]);
});
