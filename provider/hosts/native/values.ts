import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Values } from "../../schema/resource";
import { FILE_LINES, unmarshal } from "../marshal";

/** A message's properties as values. */
export function fromStruct(struct: Struct | undefined): Values {
  return unmarshal(struct?.toJavaScript() ?? {});
}

/** The lines in the message of a check, if a declarations file declares the resource. */
export function fileLinesIn(struct: Struct | undefined): string[] | undefined {
  return struct?.toJavaScript()[FILE_LINES] as string[] | undefined;
}

/** A bag as a message to the engine, without unset properties, which JSON does not know. */
export function toStruct(bag: Readonly<Record<string, unknown>>): Struct {
  return Struct.fromJavaScript(JSON.parse(JSON.stringify(bag)));
}
