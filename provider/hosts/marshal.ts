/** What both hosts share of the engine's form of values, in which a value is a property, and properties make a map. */
import { registerSecret } from "../api/redact";
import { NOTES, type Resource, UNKNOWN, type Values } from "../schema/resource";

/**
 * How the engine marks a value that a preview does not know yet: the Node.js SDK with the first text, and the engine itself
 * by its type (text, flag, number, list, object: `Unknown…Value` in `sdk/go/common/resource/plugin/rpc.go`).
 */
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
 * The argument by which a program gives `check` what the engine keeps from dynamic providers (pulumi/pulumi#9434): the
 * resource's URN, and the names of the arguments that are secret. As JSON, since each member of an object would cost the
 * program an output. State has its name alone, among the property dependencies (27 bytes). Only `__provider` could carry it
 * without that, but the engine's process compiles and configures a provider for each of its texts, and after `check` it
 * stores the text that the program sent, so that state would hold a URN. Any other argument, such as the key, is what
 * transforms, mocks and `ignoreChanges` see.
 */
export const RESOURCE_HINTS = "__resource";
/** What `RESOURCE_HINTS` holds. */
export interface ResourceHints {
  readonly urn?: string;
  readonly secrets?: readonly string[];
}

/** The engine's form of a resource's values: its own entries beside them, such as `__provider`, and marks around them. */
export type PropertyMap = Record<string, unknown>;

/** Whether a property is marked as secret, or is a list that contains one that is. */
export function hasSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasSecret);
  return typeof value === "object" && value !== null && Reflect.get(value, SIGNATURE) === SECRET;
}

/** The value of one property, without the engine's marks. */
function unwrap(property: unknown): unknown {
  if (UNKNOWNS.has(property)) return UNKNOWN;
  if (typeof property !== "object" || property === null || !(SIGNATURE in property)) return property;
  if (property[SIGNATURE] !== SECRET && property[SIGNATURE] !== OUTPUT) return property;
  const inner: unknown = "value" in property ? property.value : UNKNOWN;
  const value = Array.isArray(inner) ? inner.map(unwrap) : unwrap(inner);
  if (hasSecret(property))
    for (const text of [value].flat()) if (typeof text === "string") registerSecret(text);
  return value;
}

/**
 * Translates every value and every element of a list. Leaves out what is not set, and what only the engine and SDKs know:
 * their names begin with two underscores, such as `__defaults` and `__internal` (pulumi/pulumi#16837).
 */
function mapValues(properties: PropertyMap, translate: (value: unknown) => unknown): PropertyMap {
  const values: PropertyMap = {};
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || (name.startsWith("__") && !NOTES.includes(name))) continue;
    values[name] = Array.isArray(value) ? value.map(translate) : translate(value);
  }
  return values;
}

/** A property map as values. What is marked as secret is hidden from now on. */
export function unmarshal(properties: PropertyMap): Values {
  return mapValues(properties, unwrap);
}

/**
 * Values as a property map, with the mark of a secret around each of these names. A dynamic provider may not return
 * `pulumi.secret()` (pulumi/pulumi#3012), but the engine takes the mark itself.
 */
export function markSecrets(values: Values, isSecret: (name: string) => boolean): PropertyMap {
  const properties = mapValues(values, (value) => (value === UNKNOWN ? UNKNOWN_TEXT : value));
  for (const [name, value] of Object.entries(properties))
    if (isSecret(name) && value !== UNKNOWN_TEXT && !hasSecret(value))
      properties[name] = { [SIGNATURE]: SECRET, value };
  return properties;
}

/** A resource's values as a property map. Its secret fields are marked, whether or not the program did so. */
export function marshal(resource: Resource, values: Values): PropertyMap {
  return markSecrets(values, (name) => resource.inputs[name]?.secret === true);
}
