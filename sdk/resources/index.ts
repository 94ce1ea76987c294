/** One file per resource: its class with examples, its arguments and record, and its look-ups. */
import type { Pixel } from "./pixel";
import type { Website } from "./website";

export * from "./pixel";
export * from "./website";

/** The resources that a file declares. Every type of resource has a member, even if the file declares none. */
export interface Declared {
  /** The websites, by their names in the file. */
  readonly websites: Readonly<Record<string, Website>>;
  /** The pixels, by their names in the file. */
  readonly pixels: Readonly<Record<string, Pixel>>;
}
