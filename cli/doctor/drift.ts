import { describeRecord } from "../../provider/lifecycle/errors";
import type { RemoteRecord } from "../../provider/schema/codec";
import { mismatches } from "../../provider/schema/compare";
import { format } from "../../provider/schema/format";
import { isSameRecord } from "../../provider/schema/identity";
import type { Resource } from "../../provider/schema/resource";
import type { Finding } from "./finding";
import type { RecordComparison } from "./records";

/** Records as they are now, by id: what was asked for by itself counts before what a list says. */
export function lookUp(
  records: readonly RemoteRecord[],
  beyond: ReadonlyMap<string, RemoteRecord>,
): (id: string) => RemoteRecord | undefined {
  const listed = new Map(records.map((each) => [each.id, each]));
  return (id) => beyond.get(id) ?? listed.get(id);
}

/** Records that somebody changed on the service: a finding each, which names every field that differs from state. */
export function drifted({ resource, records, held, fetched }: RecordComparison): Finding[] {
  const current = lookUp(records, fetched);
  return held.flatMap(({ stack, name, id, values, replaced }) => {
    const found = current(id);
    if (replaced || found === undefined || !isSameRecord(resource, values, found)) return [];
    const names = mismatches(resource, values, Object.keys(resource.inputs), found);
    if (names.length === 0) return [];
    const fields = names.map((each) => difference(resource, each, values[each], found.values[each]));
    return {
      topic: "records",
      severity: "warning",
      code: "drift",
      stacks: [stack],
      service: resource.service,
      record: { type: resource.type, id },
      message: `the ${describeRecord({ resource, values, id })} of "${name}" was changed on the service: ${fields.join("; ")}`,
      remedy:
        'to undo the change, run "pulumi up --refresh"; to keep it, run "pulumi refresh" and write the same in the program',
    };
  });
}

function difference(resource: Resource, name: string, before: unknown, now: unknown): string {
  const field = resource.inputs[name];
  const is = now === null || now === undefined ? "nothing" : format(field, now);
  return `${name} is ${is} there, and ${format(field, before)} in state`;
}
