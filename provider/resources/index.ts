import type { Resource } from "../schema/resource";
import { pixel } from "./pixel";
import { website } from "./website";

export { PixelType, pixel } from "./pixel";
export { Privacy, website } from "./website";

/** Every resource there is. */
export const catalogue: readonly Resource[] = [website, pixel];
