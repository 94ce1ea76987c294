import type { RemoteRecord } from "../schema/codec";
import { mismatches } from "../schema/compare";
import { format } from "../schema/format";
import { fieldOf, type Resource, type Values } from "../schema/resource";
import type { Context, ResourceState } from "./context";
import { describeRecord, PartialFailure, reasonOf } from "./errors";

/** What a write is to make of a record. */
export interface Change {
  readonly id: string;
  /** What state says; empty for a new record. */
  readonly olds: Values;
  readonly wanted: Values;
  /** The arguments that have to reach the service. */
  readonly names: readonly string[];
}

/** The arguments that the service does not hold as wanted, and what it holds. */
interface Left {
  readonly names: readonly string[];
  readonly stored: RemoteRecord;
}

/** Compares what came back of a write with what is wanted. What the service did not store is a `PartialFailure`. */
export async function verifyWrite(
  context: Context,
  change: Change,
  found: RemoteRecord | undefined,
): Promise<ResourceState> {
  const { differences, notStored } = verification(context, change);
  const left = await differences(found, change.names);
  if (left === undefined) return { id: change.id, state: change.wanted };
  throw notStored(left);
}

/** How one write is verified. */
export function verification({ resource, records }: Context, { id, olds, wanted, names }: Change) {
  const record = describeRecord({ resource, values: wanted, id });
  return { differences, notStored };

  /**
   * The managed arguments, sent or not, that the service does not hold as wanted; nothing where it holds all. A
   * difference, or an answer that says nothing, is read once more.
   */
  async function differences(
    found: RemoteRecord | undefined,
    sent: readonly string[],
  ): Promise<Left | undefined> {
    records.invalidate(id, { id, values: wanted });
    const all = [...new Set([...sent, ...updatable(resource, wanted)])];
    const doubtful = found === undefined ? sent : mismatches(resource, wanted, all, found);
    if (doubtful.length === 0) return undefined;
    const stored = await records.fetch(id, wanted[resource.key]).catch((error: unknown) => {
      throw unverified(doubtful, `could not be read back: ${reasonOf(error)}`);
    });
    if (stored === undefined)
      throw unverified(doubtful, "the service does not find it now; run the same command once more");
    const left = mismatches(resource, wanted, all, stored);
    return left.length === 0 ? undefined : { names: left, stored };
  }

  function unverified(doubtful: readonly string[], what: string): PartialFailure {
    return new PartialFailure(id, withoutFields(doubtful), `${record} was written, and ${what}`);
  }

  function notStored({ names: left, stored }: Left): PartialFailure {
    const differences = left.map((name) => {
      const field = fieldOf(resource, name);
      return `${name}: sent ${format(field, wanted[name] ?? field.clearsTo)}, stored ${format(field, stored.values[name])}`;
    });
    return new PartialFailure(
      id,
      withoutFields(left),
      `the service did not store ${record} as asked: ${differences.join(", ")}`,
    );
  }

  /** State without what did not come to be. A field that can't be updated stays: left out, it would ask for a replacement. */
  function withoutFields(left: readonly string[]): Values {
    const open = left.filter((name) => !fieldOf(resource, name).replaces);
    const before = Object.entries(olds).filter(([name]) => names.includes(name) || !open.includes(name));
    const after = Object.entries(wanted).filter(([name]) => !open.includes(name));
    return Object.fromEntries([...before, ...after]);
  }
}

/** The arguments that can be sent in an update. */
export function updatable(resource: Resource, wanted: Values): string[] {
  return Object.keys(wanted).filter((name) => !fieldOf(resource, name).replaces);
}
