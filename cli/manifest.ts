import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** What this package's own package.json says of versions. */
export interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** Reads this package's package.json, wherever it is installed and however it was built. */
export function manifest(): Manifest {
  // By its own name, since how far it is from here to package.json differs between the sources and the build.
  const place = createRequire(__filename).resolve("pulumi-tracking/package.json");
  return JSON.parse(readFileSync(place, "utf8")) as Manifest;
}
