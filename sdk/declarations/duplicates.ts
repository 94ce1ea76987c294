import { noun } from "../../provider/schema/resource";
import type { Diagnostics } from "./diagnostics";
import type { Declaration } from "./entry";

/** Tells of resources that would be one record: two websites of one domain, two pixels of one name. */
export function reportDuplicates(declarations: readonly Declaration[], diagnostics: Diagnostics): void {
  const first = new Map<string, Declaration>();
  for (const each of declarations) {
    const { resource, path, values, places } = each;
    const key = values[resource.key];
    if (typeof key !== "string") continue;
    const name = `${resource.type} ${resource.inputs[resource.key]?.canonical(key)}`;
    const before = first.get(name);
    if (before === undefined) first.set(name, each);
    else
      diagnostics.add(
        // What an anchor lends stands there for both.
        places[resource.key] === before.places[resource.key] ? each.at : (places[resource.key] ?? each.at),
        (line) =>
          `${path}: ${before.path} in line ${line(before.places[resource.key] ?? before.at)} has the same ${resource.key}, ` +
          `and two resources can't be one ${noun(resource)}: take one of them out, or change its ${resource.key}`,
      );
  }
}
