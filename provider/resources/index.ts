import type { Resource } from "../schema/resource";
import { pixel } from "./pixel";
import { website } from "./website";

export { PixelType, pixel } from "./pixel";
export { Privacy, website } from "./website";

const all = [website, pixel] as const;

/** Every resource. */
export const catalogue: readonly Resource[] = all;
/** The same with each resource's own type, for types that are derived from all of them. */
export type Catalogue = typeof all;
