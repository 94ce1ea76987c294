import { type Resource, UNKNOWN, type Values } from "../../schema/resource";
import { PROVIDER } from "./identity";

/** How the engine writes a value that a preview can't know. */
const UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
/** How the engine marks a secret value on the wire. */
const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/** The engine's form of a resource's values. */
export type Bag = Record<string, unknown>;

/** The engine's bag as values, without its own entries. */
export function unmarshal(bag: Bag): Values {
  return mapValues(bag, (value) => (value === UNKNOWN_TEXT ? UNKNOWN : value));
}

/** Values as the engine's bag. A secret is sealed, so that it stays one whatever the program said of it. */
export function marshal(resource: Resource, values: Values): Bag {
  const bag = mapValues(values, (value) => (value === UNKNOWN ? UNKNOWN_TEXT : value));
  for (const [name, value] of Object.entries(bag))
    if (resource.inputs[name]?.secret && value !== UNKNOWN_TEXT) bag[name] = { ...SECRET, value };
  return bag;
}

/** The same with the constant text, as the bag `from` has it that the engine gave. */
export function bagOf(resource: Resource, values: Values, from: Bag): Bag {
  return { ...marshal(resource, values), [PROVIDER]: from[PROVIDER] };
}

/** A bag with our own entries and what is not set left out, and every value and list element translated. */
function mapValues(bag: Values, each: (value: unknown) => unknown): Bag {
  return Object.fromEntries(
    Object.entries(bag)
      .filter(([name, value]) => !name.startsWith("__") && value !== undefined && value !== null)
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(each) : each(value)]),
  );
}
