import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** The versions in this package's package.json. */
export interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** Reads this package's package.json, from sources and from the build. */
export function manifest(): Manifest {
  // By its own name, because the relative path differs between the sources and the build.
  const place = createRequire(__filename).resolve("pulumi-tracking/package.json");
  return JSON.parse(readFileSync(place, "utf8")) as Manifest;
}
