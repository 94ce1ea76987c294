import type * as pulumi from "@pulumi/pulumi";
import { beforeEach, describe, expect, test } from "vitest";
import { Pixel, Website } from "../../sdk";
import { engineWithout, Group } from "./lookups-harness";

beforeEach(() => engineWithout());

/** The protection that the engine gets, and that children inherit. */
const isProtected = (resource: pulumi.Resource) => Reflect.get(resource, "__protect") === true;
const website = (opts?: pulumi.CustomResourceOptions) =>
  isProtected(new Website("shop", { domain: "shop.example" }, opts));

test("a website is protected, and a pixel is not", () => {
  expect(website()).toBe(true);
  expect(isProtected(new Pixel("ga", { name: "GA", type: "bing", value: "1" }))).toBe(false);
});

describe("a website is not protected", () => {
  test("where the program says so", () => expect(website({ protect: false })).toBe(false));
  test("where it stays when the resource goes", () => expect(website({ retainOnDelete: true })).toBe(false));
  test("where the program says so of its parent", () =>
    expect(website({ parent: new Group("loose", { protect: false }) })).toBe(false));
});

test("a parent that says nothing leaves a website protected", () =>
  expect(website({ parent: new Group("silent") })).toBe(true));
