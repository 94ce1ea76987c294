import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Values } from "../../schema/resource";
import { type Bag, hasSecret, sealed, unmarshal } from "../marshal";

/** A message's properties as values. */
export function fromStruct(struct: Struct | undefined): Values {
  return unmarshal(struct?.toJavaScript() ?? {});
}

/**
 * A bag as a message to the engine, without unset properties, which JSON does not know. What is a secret in the message
 * `from` is one here.
 */
export function toStruct(bag: Bag, from?: Struct): Struct {
  const given: Bag = from?.toJavaScript() ?? {};
  return Struct.fromJavaScript(JSON.parse(JSON.stringify(sealed(bag, (name) => hasSecret(given[name])))));
}

/** Whether a message has a property that is a secret, or contains one. */
export function hasSecrets(struct: Struct | undefined): boolean {
  return Object.values(struct?.toJavaScript() ?? {}).some(hasSecret);
}
