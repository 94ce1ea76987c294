import type { RemoteRecord } from "../schema/codec";
import { mismatches } from "../schema/compare";
import { format } from "../schema/format";
import { fieldOf, type Resource, type Values } from "../schema/resource";
import type { Context, ResourceState } from "./context";
import { describeRecord, PartialFailure, reasonOf } from "./errors";

/** A write to a record. */
export interface Change {
  readonly id: string;
  /** The values in state. Empty for a new record. */
  readonly olds: Values;
  readonly wanted: Values;
  /** The arguments that must be sent. */
  readonly names: readonly string[];
}

/** The arguments that the service did not store as declared, and what it stored. */
interface Mismatch {
  readonly names: readonly string[];
  readonly stored: RemoteRecord;
}

/** Compares the answer to a write with the declared values. Throws a `PartialFailure` if the service stored others. */
export async function verifyWrite(
  context: Context,
  change: Change,
  found: RemoteRecord | undefined,
): Promise<ResourceState> {
  const { differences, notStored } = verification(context, change);
  const mismatch = await differences(found, change.names);
  if (mismatch === undefined) return { id: change.id, state: change.wanted };
  throw notStored(mismatch);
}

/** The verification of one write. */
export function verification({ resource, records }: Context, { id, olds, wanted, names }: Change) {
  const record = describeRecord({ resource, values: wanted, id });
  return { differences, notStored };

  /**
   * The managed arguments, sent or not, that the service did not store as declared, or nothing. If the answer shows a
   * difference, or no record, the record is read again first.
   */
  async function differences(
    found: RemoteRecord | undefined,
    sent: readonly string[],
  ): Promise<Mismatch | undefined> {
    records.invalidate(id, { id, values: wanted });
    const all = [...new Set([...sent, ...updatable(resource, wanted)])];
    const doubtful = found === undefined ? sent : mismatches(resource, wanted, all, found);
    if (doubtful.length === 0) return undefined;
    const stored = await records.fetch(id, wanted[resource.key]).catch((error: unknown) => {
      throw unverified(doubtful, `could not be read back: ${reasonOf(error)}`);
    });
    if (stored === undefined)
      throw unverified(doubtful, "the service no longer finds it; run the same command again");
    const differing = mismatches(resource, wanted, all, stored);
    return differing.length === 0 ? undefined : { names: differing, stored };
  }

  function unverified(doubtful: readonly string[], what: string): PartialFailure {
    return new PartialFailure(id, withoutFields(doubtful), `${record} was written, but ${what}`);
  }

  function notStored({ names: differing, stored }: Mismatch): PartialFailure {
    const differences = differing.map((name) => {
      const field = fieldOf(resource, name);
      return `${name}: sent ${format(field, wanted[name] ?? field.clearsTo)}, stored ${format(field, stored.values[name])}`;
    });
    return new PartialFailure(
      id,
      withoutFields(differing),
      `the service did not store ${record} as asked: ${differences.join(", ")}`,
    );
  }

  /** State without the fields that were not stored. One that replaces stays, since its absence would replace. */
  function withoutFields(differing: readonly string[]): Values {
    const open = differing.filter((name) => !fieldOf(resource, name).replaces);
    const before = Object.entries(olds).filter(([name]) => names.includes(name) || !open.includes(name));
    const after = Object.entries(wanted).filter(([name]) => !open.includes(name));
    return Object.fromEntries([...before, ...after]);
  }
}

/** The arguments that can be sent in an update. */
export function updatable(resource: Resource, wanted: Values): string[] {
  return Object.keys(wanted).filter((name) => !fieldOf(resource, name).replaces);
}
