import { isUnknown } from "../../provider/schema/resource";
import { type FieldChange, UNKNOWN_TEXT } from "./changes";

/** In full: a cut list or a long value would not show what changes in it. */
function textOf(value: unknown): string {
  if (value === undefined) return "(not managed)";
  return isUnknown(value) ? UNKNOWN_TEXT : JSON.stringify(value);
}

/** Whether it is a list with something in it, known to the end. */
function isFilled(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && !isUnknown(value);
}

/** What a list gains and loses: `+ 198.51.100.8, - 192.0.2.1`. Its order has no meaning. */
function listDifference(field: FieldChange["field"], before: readonly unknown[], after: readonly unknown[]) {
  const canonical = (element: unknown) => field?.canonical([element]) ?? String(element);
  const without = (list: readonly unknown[], other: readonly unknown[]) => {
    const others = new Set(other.map(canonical));
    return list.filter((element) => !others.has(canonical(element)));
  };
  const gains = without(after, before).map((element) => `+ ${element}`);
  return [...gains, ...without(before, after).map((element) => `- ${element}`)].join(", ");
}

/** What one argument was, and what it becomes. */
export function describeField({ name, field, before, after, drift, isHidden }: FieldChange): string {
  if (isHidden) return `${name} (secret)`;
  if (drift !== undefined) {
    const { from } = drift;
    const [theirs, ours] =
      isFilled(from) && isFilled(before) && isFilled(after)
        ? [listDifference(field, from, before), listDifference(field, before, after)]
        : [textOf(before), textOf(after)];
    // For a new domain, the provider's own message says what becomes of the record.
    const consequence = field?.replaces ? "" : `, and "pulumi up" sets ${ours}`;
    return `${name}: someone set ${theirs}${consequence}`;
  }
  return isFilled(before) && isFilled(after)
    ? `${name} ${listDifference(field, before, after)}`
    : `${name} ${textOf(before)} → ${textOf(after)}`;
}

/** An argument of a new record. */
export function describeNewField({ name, after, isHidden }: FieldChange): string {
  return isHidden ? `${name} (secret)` : `${name} ${textOf(after)}`;
}
