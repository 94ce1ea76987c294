import { createHash } from "node:crypto";
import { fieldOf, type Resource } from "./resource";

/** Where records are: an installation of a service, and the account that a key opens there. */
export interface RecordScope {
  /** As settings have it: without a trailing slash, the host in lower case. */
  readonly baseUrl: string;
  readonly key: string;
}

/** Identifies a record for every resource, provider and process: by its service's address, its kind and its id. */
export function recordFingerprint(
  { baseUrl }: Pick<RecordScope, "baseUrl">,
  resource: Resource,
  id: string,
): string {
  return digest("record", baseUrl, resource.path, id);
}

/**
 * The same for one record whatever name its service goes by, such as `localhost` and `127.0.0.1`. It may be the same for
 * two records of two installations, so it is good for keeping a record, and for nothing else.
 */
export function fingerprintAnywhere(resource: Resource, id: string, value: unknown): string {
  return digest("anywhere", resource.path, id, fieldOf(resource, resource.key).canonical(value));
}

/**
 * Tells a key, such as a domain, from all others, spelling apart. Two accounts of one installation may each have a
 * record of one key, so the account is part of it. Nothing can be read from it.
 */
export function keyFingerprint({ baseUrl, key }: RecordScope, resource: Resource, value: unknown): string {
  return digest("key", baseUrl, key, resource.path, fieldOf(resource, resource.key).canonical(value));
}

function digest(...parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
