/** The catalogue. A new resource is one file beside this, a line here, and its class in `sdk/resources`. */
import type { Resource } from "../schema/resource";
import { pixel } from "./pixel";
import { website } from "./website";

export { PixelType, pixel } from "./pixel";
export { Privacy, website } from "./website";

const resources = [website, pixel] as const;

/** Every resource. */
export const catalogue: readonly Resource[] = resources;
/** The same with each resource's own type, for types that are derived from all of them. */
export type Catalogue = typeof resources;
