import type { Pixel } from "./pixel";
import type { Website } from "./website";

export * from "./pixel";
export * from "./website";

/** What a file declares. Every type of resource has a member, also where the file declares none. */
export interface Declared {
  /** The websites, by the names that the file gives them. */
  readonly websites: Readonly<Record<string, Website>>;
  /** The pixels, by the names that the file gives them. */
  readonly pixels: Readonly<Record<string, Pixel>>;
}
