import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Values } from "../../schema/resource";
import { hasSecret, markSecrets, type PropertyMap, unmarshal } from "../marshal";

/** A message's properties as values. */
export function fromStruct(struct: Struct | undefined): Values {
  return unmarshal(struct?.toJavaScript() ?? {});
}

/**
 * A property map as a message to the engine, without undefined properties, which JSON does not know. A property that is secret in
 * the message `from` is secret here too: the engine would show a password of the program in the outputs.
 */
export function toStruct(properties: PropertyMap, from?: Struct): Struct {
  const original: PropertyMap = from?.toJavaScript() ?? {};
  const marked = markSecrets(properties, (name) => hasSecret(original[name]));
  return Struct.fromJavaScript(JSON.parse(JSON.stringify(marked)));
}

/** Whether a message has a property that is a secret, or contains one. */
export function hasSecrets(struct: Struct | undefined): boolean {
  return Object.values(struct?.toJavaScript() ?? {}).some(hasSecret);
}
