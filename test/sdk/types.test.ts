import type * as pulumi from "@pulumi/pulumi";
import { expect, expectTypeOf, test } from "vitest";
import type { Catalogue } from "../../provider/resources";
import type { Field } from "../../provider/schema/field";
import * as tracking from "../../sdk";

/** What is written by hand for each resource. */
interface Written {
  Website: [tracking.WebsiteArgs, Own<tracking.Website>, tracking.WebsiteRecord];
  Pixel: [tracking.PixelArgs, Own<tracking.Pixel>, tracking.PixelRecord];
}
/** The same as the catalogue defines it. */
type Defined = {
  [R in Catalogue[number] as R["type"]]: [Given<R["inputs"]>, Outputs<R["inputs"]>, Listed<R["inputs"]>];
};
type Own<T> = Omit<T, keyof pulumi.CustomResource>;
type Plain<T> = { [K in keyof T]: T[K] };
type Value<F> = F extends Field<infer V> ? V : never;
type Values<F> = {
  [K in keyof F as F[K] extends Field<unknown, true> ? K : never]: Value<F[K]>;
} & {
  [K in keyof F as F[K] extends Field<unknown, true> ? never : K]?: Value<F[K]>;
};
type Input<V> = pulumi.Input<V extends (infer E)[] ? pulumi.Input<E>[] : V>;
type Given<F> = Plain<
  { [K in keyof Values<F>]: Input<Exclude<Values<F>[K], undefined>> } & { adopt?: pulumi.Input<boolean> }
>;
type Outputs<F> = {
  readonly [K in keyof F]: pulumi.Output<
    F[K] extends { required: true } | { default: unknown } ? Value<F[K]> : Value<F[K]> | undefined
  >;
};
type Base = { id: string; createdAt?: string | undefined; updatedAt?: string | undefined };
type Listed<F> = Plain<Readonly<Base & Omit<Values<F>, "password">>>;

test("arguments, outputs and records are of the fields and types that the catalogue defines", () => {
  expectTypeOf<Plain<Written>>().toEqualTypeOf<Defined>();
});

test("Privacy and PixelType have the words of the contract", () => {
  expect(Object.values(tracking.Privacy)).toEqual(["public", "private", "password"]);
  expect(Object.values(tracking.PixelType)).toEqual([
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

test("the classes are named as their resources are", () => {
  expect([tracking.Website.name, tracking.Pixel.name]).toEqual(["Website", "Pixel"]);
});
