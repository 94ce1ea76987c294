import { createRequire } from "node:module";

/** This package's version, from sources and from the build. */
export function ownVersion(): string {
  // By its own name, because the relative path differs between the sources and the build.
  return createRequire(__filename)("pulumi-tracking/package.json").version;
}
