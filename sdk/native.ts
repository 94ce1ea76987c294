/**
 * The main entry over the provider plugin: a program changes only its import line. The types are those of the main
 * entry.
 *
 * @module pulumi-tracking/native
 */
import { type Catalogue, catalogue } from "../provider/resources";
import { type DeclareOptions, declareAll } from "./declarations/declare";
import { nativeForm } from "./native-form";
import { type ProviderClass, providerClass } from "./provider";
import { classesOf } from "./resource";
import type { Declared } from "./resources";

export * from "./index";

/** The classes of the resources, instead of the main entry's. */
export const { Website, Pixel } = classesOf<Catalogue[number]>(catalogue, nativeForm);

/** An explicit provider, as in the main entry. */
export const Provider: ProviderClass = providerClass(nativeForm);

/** Declares all websites and pixels of one YAML file, as in the main entry. */
export function declareFrom(path: string, opts?: DeclareOptions): Declared {
  return declareAll(path, opts, nativeForm);
}
