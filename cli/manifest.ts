import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** This package's version, from sources and from the build. */
export function ownVersion(): string {
  // By its own name, because the relative path differs between the sources and the build.
  const place = createRequire(__filename).resolve("pulumi-tracking/package.json");
  const { version } = JSON.parse(readFileSync(place, "utf8")) as { readonly version: string };
  return version;
}
