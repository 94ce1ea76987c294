import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Values } from "../../schema/resource";
import { unmarshal } from "../marshal";

/** A message's properties as values. */
export function fromStruct(struct: Struct | undefined): Values {
  return unmarshal(struct?.toJavaScript() ?? {});
}

/** A bag as a message to the engine, without unset properties, which JSON does not know. */
export function toStruct(bag: Readonly<Record<string, unknown>>): Struct {
  return Struct.fromJavaScript(JSON.parse(JSON.stringify(bag)));
}
