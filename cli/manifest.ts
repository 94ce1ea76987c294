import { version } from "../package.json";

/** This package's version. */
export function ownVersion(): string {
  return version;
}
