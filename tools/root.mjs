import { dirname } from "node:path";

/** The repository's folder. */
export const ROOT = dirname(import.meta.dirname);
