import { decode, type RemoteRecord } from "./codec";
import { couldHaveKey } from "./identity";
import { fieldOf, type Resource } from "./resource";

/** How to find a resource's records: their path, how to decode them, and how to search for a key. */
export function collectionOf(resource: Resource) {
  const key = fieldOf(resource, resource.key);
  return {
    path: resource.path,
    decode: (raw: object): RemoteRecord => decode(resource, raw),
    matches: (value: unknown, found: RemoteRecord): boolean => couldHaveKey(resource, value, found),
    search: (value: unknown): Record<string, string> | undefined => {
      const search = key.searchTerm(value);
      return search === undefined ? undefined : { search, search_by: key.wire ?? resource.key };
    },
  };
}
