/**
 * The catalogue: what the resources are, as data alone, with no code for one of them elsewhere in `provider`. A new resource is
 * one file beside this, a line here, and its class in `sdk/resources`.
 */
import type { Resource } from "../schema/resource";
import { pixel } from "./pixel";
import { website } from "./website";

export { PixelType, pixel } from "./pixel";
export { Privacy, website } from "./website";

const resources = [website, pixel] as const;

/** Every resource. */
export const catalogue: readonly Resource[] = resources;
/** The same, with the type of each resource, from which other types are derived. */
export type Catalogue = typeof resources;
