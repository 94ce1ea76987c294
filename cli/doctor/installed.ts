import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { NoStack } from "../pulumi/failure";
import { upwards } from "../pulumi/project";
import { Stack } from "../pulumi/stack";
import type { InstalledVersions } from "./versions";

/** Which versions there are, as the engine would find them. */
export async function installedVersions(
  project: string | undefined,
  stack = new Stack(undefined),
): Promise<InstalledVersions> {
  const pulumi = await stack.version().catch((error: unknown) => {
    if (error instanceof NoStack) return undefined;
    throw error;
  });
  const sdk = project === undefined ? undefined : versionOf("@pulumi/pulumi", project);
  const installed = project === undefined ? undefined : versionOf("pulumi-tracking", project);
  return {
    node: process.versions.node,
    project: project !== undefined,
    ...(pulumi === undefined ? {} : { pulumi }),
    ...(sdk === undefined ? {} : { sdk }),
    ...(installed === undefined ? {} : { installed }),
  };
}

/** A package's version, looked for as Node.js does, but never by the name of the package that asks. */
function versionOf(name: string, from: string): string | undefined {
  const place = upwards(from)
    .map((folder) => join(folder, "node_modules", name, "package.json"))
    .find((file) => existsSync(file));
  if (place === undefined) return undefined;
  return (JSON.parse(readFileSync(place, "utf8")) as { version?: string }).version;
}
