import { hash } from "node:crypto";
import { fieldOf, type Resource } from "./resource";

/** Where records are: an installation of a service, and one of its accounts. */
export interface RecordScope {
  /** As settings have it: without a trailing slash, the host in lower case. */
  readonly baseUrl: string;
  readonly account: string;
}

function digest(...parts: string[]): string {
  return hash("sha256", JSON.stringify(parts)).slice(0, 32);
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
 * Identifies a key, such as a domain, in any spelling, where no two records may have it: in an account, or if it is
 * global, in an installation. The key cannot be recovered from it.
 */
export function keyFingerprint(scope: RecordScope, resource: Resource, value: unknown): string {
  const scopeId = resource.keyIsGlobal ? scope.baseUrl : scope.account;
  return digest("key", scopeId, resource.path, fieldOf(resource, resource.key).canonical(value));
}

/** Identifies a key, in any spelling, where the key itself may be secret. */
export function keyHash(resource: Resource, value: unknown): string {
  return digest(fieldOf(resource, resource.key).canonical(value));
}
