import { registerSecret } from "../api/redact";
import { pick } from "../schema/compare";
import { DECLARED_KEY, NOTES, type Resource, UNKNOWN, type Values } from "../schema/resource";

/** The engine's marks for values that a preview can't know: one in general, and one for each type of values that we have. */
const UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const UNKNOWNS: ReadonlySet<unknown> = new Set([
  UNKNOWN_TEXT,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);
/** The property by which the engine marks special values, and the marks of a secret and of an output. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";
export const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/**
 * The argument by which a program tells `check` what the engine keeps from dynamic providers: the resource's URN, and
 * the names of the arguments that are secret. As JSON, since each member of an object would cost the program an output.
 * State has its name alone, among the property dependencies (27 bytes). Only `__provider` could carry it without that, but
 * the engine's process compiles and configures a provider for each of its texts, and after `check` it stores the text that
 * the program sent, so that state would hold a URN. Any other argument, such as the key, is what transforms, mocks and
 * `ignoreChanges` see.
 */
export const RESOURCE = "__resource";
/** What that argument tells, as JSON. */
export interface Told {
  readonly urn?: string;
  readonly secrets?: readonly string[];
}

/** The engine's form of a resource's values. */
export type Bag = Record<string, unknown>;

/** The engine's bag as values, without its own entries. What is marked as secret is hidden from now on. */
export function unmarshal(bag: Bag): Values {
  return mapValues(bag, plain);
}

/** Values as the engine's bag. A secret field is marked as secret, whether or not the program did so. */
export function marshal(resource: Resource, values: Values): Bag {
  return sealed(values, (name) => resource.inputs[name]?.secret === true);
}

/** The same for any values, such as settings, or a bag. */
export function sealed(values: Values, isSecret: (name: string) => boolean): Bag {
  const bag = mapValues(values, (value) => (value === UNKNOWN ? UNKNOWN_TEXT : value));
  for (const [name, value] of Object.entries(bag))
    if (isSecret(name) && value !== UNKNOWN_TEXT && !hasSecret(value))
      bag[name] = { [SIGNATURE]: SECRET, value };
  return bag;
}

/** Whether a value of a bag is marked as secret, or is a list that contains one. */
export function hasSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasSecret);
  return typeof value === "object" && value !== null && Reflect.get(value, SIGNATURE) === SECRET;
}

/** One value without the engine's marks. */
function plain(value: unknown): unknown {
  if (UNKNOWNS.has(value)) return UNKNOWN;
  if (typeof value !== "object" || value === null || !(SIGNATURE in value)) return value;
  if (value[SIGNATURE] !== SECRET && value[SIGNATURE] !== OUTPUT) return value;
  const inner: unknown = "value" in value ? value.value : UNKNOWN;
  const opened = Array.isArray(inner) ? inner.map(plain) : plain(inner);
  if (hasSecret(value))
    for (const each of [opened].flat()) if (typeof each === "string") registerSecret(each);
  return opened;
}

/** The arguments after a read; nothing if someone has renamed the record, since the program then keeps those it has. */
export function inputsAfterRead(resource: Resource, before: Values, after: Values): Values | undefined {
  const isRenamed = [before, after].some((each) => each[DECLARED_KEY] !== undefined);
  return isRenamed ? undefined : pick(resource, after);
}

/** A bag without entries for hosts and without unset values; every value and list element is translated. */
function mapValues(bag: Values, each: (value: unknown) => unknown): Bag {
  return Object.fromEntries(
    Object.entries(bag)
      .filter(
        ([name, value]) =>
          (NOTES.includes(name) || !name.startsWith("__")) && value !== undefined && value !== null,
      )
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(each) : each(value)]),
  );
}
