/**
 * The same classes and look-ups over the provider plugin: a program changes its import line and nothing else.
 *
 * @module pulumi-tracking/native
 */
import * as pulumi from "@pulumi/pulumi";
import { type Catalogue, catalogue, pixel, website } from "../provider/resources";
import { type Declared, type DeclareOptions, declareAll } from "./declarations/declare";
import { nativeForm } from "./native-form";
import { type ProviderArgs, providerSettings } from "./provider-settings";
import { type ResourceClass, resourceClass } from "./resource";
import type * as resources from "./resources";

export { PixelType, Privacy } from "../provider/resources";
export type { Declared, DeclareOptions } from "./declarations/declare";
export type * from "./lookup-arguments";
export * from "./lookups";
export type { ProviderArgs } from "./provider-settings";
export type { PixelArgs, WebsiteArgs } from "./resources";

/**
 * A tracked website, as in the main entry.
 *
 * @class
 */
export const Website: ResourceClass<resources.WebsiteArgs, Website> = resourceClass(website, nativeForm);
export interface Website extends resources.Website {}

/**
 * A third-party tracking pixel, as in the main entry.
 *
 * @class
 */
export const Pixel: ResourceClass<resources.PixelArgs, Pixel> = resourceClass(pixel, nativeForm);
export interface Pixel extends resources.Pixel {}

/** An explicit provider, as in the main entry. */
export class Provider extends pulumi.ProviderResource {
  /** @internal The `tracking:*` settings, for look-ups. */
  readonly trackingSettings: pulumi.Output<Record<string, string>>;
  /** @internal The same, where all of them are known at once. */
  readonly plainTrackingSettings: Readonly<Record<string, string>> | undefined;

  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const settings = providerSettings(name, args);
    const given = Object.entries(settings.all).map(([key, value]) => [key.replace("tracking:", ""), value]);
    super(nativeForm.packageName, name, Object.fromEntries(given), { ...opts, ...nativeForm.options() });
    this.trackingSettings = pulumi.all(settings.all);
    this.plainTrackingSettings = opts?.dependsOn === undefined ? settings.plain : undefined;
  }
}

/** Declares all websites and pixels of one YAML file, as in the main entry. */
export function declareFrom(path: string, opts?: DeclareOptions): Declared {
  return declareAll<Catalogue[number]>(catalogue, path, opts, nativeForm);
}
